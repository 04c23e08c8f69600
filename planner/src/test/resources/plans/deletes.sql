SELECT * FROM cdc;
SELECT count(amount) FROM cdc WHERE name = 'x' AND amount > 3;
SELECT a.name FROM cdc a JOIN positions b ON a.id = b.id WHERE b.name LIKE 'q%' AND a.addr.zip = 3;
SELECT name FROM dropped WHERE id < 5;
SELECT name FROM dropped WHERE id = (SELECT max(id) FROM cdc);
SELECT d.name FROM dropped d WHERE NOT EXISTS (SELECT 1 FROM cdc WHERE cdc.id = d.id AND cdc.name <> d.name);
SELECT id, name FROM cdc LEFT JOIN UNNEST(ARRAY[1,2]) AS t(x) ON TRUE;
SELECT row_number() OVER (ORDER BY name) FROM cdc;
