<#-- Statements that Calcite's grammar lacks. -->

SqlNode FulmarExplain() :
{
    final Span s;
    final SqlNode query;
    ExplainStatement.Detail detail = ExplainStatement.Detail.ALL;
}
{
    <EXPLAIN> { s = span(); }
    [ <PLAN> ]
    (
        <LOGICAL> { detail = ExplainStatement.Detail.LOGICAL; }
    |
        <PHYSICAL> { detail = ExplainStatement.Detail.PHYSICAL; }
    |
        <ANALYZE> { detail = ExplainStatement.Detail.ANALYZE; }
    |
        E()
    )
    [ <FOR> ]
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) {
        return new ExplainStatement(s.end(this), detail, query);
    }
}

SqlNode FulmarShow() :
{
    final Span s;
    final ShowStatement.Subject subject;
    SqlIdentifier scope = null;
    SqlNode like = null;
}
{
    <SHOW> { s = span(); }
    (
        <CATALOGS> { subject = ShowStatement.Subject.CATALOGS; }
    |
        <SETTINGS> { subject = ShowStatement.Subject.SETTINGS; }
    |
        <SCHEMAS> { subject = ShowStatement.Subject.SCHEMAS; }
        [ ( <FROM> | <IN> ) scope = CompoundIdentifier() ]
    |
        <TABLES> { subject = ShowStatement.Subject.TABLES; }
        [ ( <FROM> | <IN> ) scope = CompoundIdentifier() ]
    |
        <COLUMNS> { subject = ShowStatement.Subject.COLUMNS; }
        ( <FROM> | <IN> ) scope = CompoundIdentifier()
    )
    [ <LIKE> like = StringLiteral() ]
    {
        return new ShowStatement(s.end(this), subject, scope, like);
    }
}

SqlNode FulmarUse() :
{
    final Span s;
    final SqlIdentifier name;
}
{
    <USE> { s = span(); }
    [ LOOKAHEAD(2) ( <SCHEMA> | <CATALOG> ) ]
    name = CompoundIdentifier() {
        return new UseStatement(s.end(this), name);
    }
}

SqlCreate CreateSchema(Span s, boolean replace) :
{
    final SqlIdentifier name;
    boolean ifNotExists = false;
}
{
    <SCHEMA>
    [ LOOKAHEAD(3) <IF> <NOT> <EXISTS> { ifNotExists = true; } ]
    name = CompoundIdentifier() {
        return SchemaStatement.create(s.end(this), replace, ifNotExists, name);
    }
}

SqlDrop DropSchema(Span s, boolean replace) :
{
    final SqlIdentifier name;
    boolean ifExists = false;
}
{
    <SCHEMA>
    [ LOOKAHEAD(2) <IF> <EXISTS> { ifExists = true; } ]
    name = CompoundIdentifier() {
        return SchemaStatement.drop(s.end(this), ifExists, name);
    }
}

SqlCreate CreateView(Span s, boolean replace) :
{
    final SqlIdentifier name;
    final List<ViewStatement.Column> columns = new ArrayList<ViewStatement.Column>();
    boolean ifNotExists = false;
    SqlNode comment = null;
    final Token first;
    final SqlNode query;
}
{
    <VIEW>
    [ LOOKAHEAD(3) <IF> <NOT> <EXISTS> { ifNotExists = true; } ]
    name = CompoundIdentifier()
    [
        <LPAREN> ViewColumn(columns)
        ( <COMMA> ViewColumn(columns) )*
        <RPAREN>
    ]
    [ <COMMENT> comment = StringLiteral() ]
    <AS> { first = getToken(1); }
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY) {
        return ViewStatement.create(s.end(this), ViewStatement.mode(s, replace, ifNotExists), name, columns, comment,
            query, ParserSupport.range(first, token));
    }
}

void ViewColumn(List<ViewStatement.Column> columns) :
{
    final SqlIdentifier name;
    SqlNode comment = null;
}
{
    name = SimpleIdentifier()
    [ <COMMENT> comment = StringLiteral() ] {
        columns.add(ViewStatement.Column.of(name, comment));
    }
}

SqlDrop DropView(Span s, boolean replace) :
{
    final SqlIdentifier name;
    boolean ifExists = false;
}
{
    <VIEW>
    [ LOOKAHEAD(2) <IF> <EXISTS> { ifExists = true; } ]
    name = CompoundIdentifier() {
        return ViewStatement.drop(s.end(this), ifExists, name);
    }
}

/** SET key = value | SET key TO value | RESET key: keys have dots and dashes, values may be words such as 32MB. */
SqlSetOption FulmarSetOption(Span s, String scope) :
{
    final SqlIdentifier name;
    SqlNode value = null;
}
{
    (
        <SET> { s.add(this); }
        name = SettingName()
        ( <EQ> | <TO> )
        value = SettingValue()
    |
        <RESET> { s.add(this); }
        name = SettingName()
    )
    {
        return new SqlSetOption(s.end(this), scope, (SqlNode) name, value);
    }
}

/** Words, dots and dashes up to the sign or the end; words may be reserved, as in query-limit. */
JAVACODE SqlIdentifier SettingName()
{
    final StringBuilder name = new StringBuilder();
    final Span s = Span.of();
    while (ParserSupport.isPartOfSettingName(getToken(1))) {
        final Token next = getNextToken();
        s.add(this);
        name.append(ParserSupport.settingNamePart(next));
    }
    if (name.length() == 0) {
        throw generateParseException();
    }
    return new SqlIdentifier(name.toString(), s.pos());
}

/** A literal, or the words up to the end of the statement. */
JAVACODE SqlNode SettingValue()
{
    final StringBuilder text = new StringBuilder();
    Token last = null;
    Span s = null;
    while (getToken(1).kind != EOF && getToken(1).kind != SEMICOLON) {
        final Token next = getNextToken();
        if (last != null && (last.endLine != next.beginLine || last.endColumn + 1 != next.beginColumn)) {
            text.append(' ');
        }
        text.append(next.image);
        s = s == null ? span() : s.add(this);
        last = next;
    }
    if (last == null) {
        throw generateParseException();
    }
    return ParserSupport.settingValue(text.toString(), s.pos());
}
