<#-- Infix expressions that Calcite's grammar lacks. -->

/** value::type. */
void InfixCast(List<Object> list, ExprContext exprContext, Span s) :
{
    final SqlDataTypeSpec dt;
}
{
    <INFIX_CAST> {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(SqlLibraryOperators.INFIX_CAST, getPos()));
    }
    dt = DataType() {
        list.add(dt);
    }
}

/** value AT TIME ZONE zone. */
void AtTimeZone(List<Object> list, ExprContext exprContext, Span s) :
{
}
{
    <AT> <TIME> <ZONE> {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(SyntaxOperators.AT_TIME_ZONE, getPos()));
    }
    AddExpression2b(list, ExprContext.ACCEPT_SUB_QUERY)
}
