// Edits source files by syntax, so that layout changes do not matter.
const ts = require('typescript');

/** @returns the text with an import added after the last one */
exports.withImport = (text, line) => {
  const imports = parsed(text).statements.filter(ts.isImportDeclaration);
  const end = imports.length > 0 ? imports[imports.length - 1].getEnd() + 1 : 0;
  return `${text.slice(0, end)}${line}\n${text.slice(end)}`;
};

/** @returns the text with an element or property added to the list or object that is the value of this constant, or that it returns */
exports.withElement = (text, name, element) => {
  const source = parsed(text);
  const literal = literalOf(
    source.statements
      .filter(ts.isVariableStatement)
      .flatMap((each) => [...each.declarationList.declarations])
      .find((each) => each.name.getText(source) === name)?.initializer,
  );
  if (!literal) throw new Error(`There is no constant ${name} with a list or an object.`);
  const closing = literal.getEnd() - 1;
  const lineStart = text.lastIndexOf('\n', closing) + 1;
  const indent = text.slice(lineStart, closing);
  if (indent.trim() !== '') return `${text.slice(0, closing)}, ${element}${text.slice(closing)}`;
  const lines = element
    .split('\n')
    .map((line) => `${indent}  ${line}\n`)
    .join('');
  return `${text.slice(0, lineStart)}${lines.replace(/\n$/, ',\n')}${text.slice(lineStart)}`;
};

/** @returns the text with a statement added after the one that declares this name */
exports.withStatement = (text, name, statement) => {
  const after = parsed(text).statements.find((each) => declares(each, name));
  if (!after) throw new Error(`There is no declaration of ${name}.`);
  const end = after.getEnd() + 1;
  return `${text.slice(0, end)}${statement}\n${text.slice(end)}`;
};

/** @returns the text with names added to its exports from a file */
exports.withExport = (text, from, names) => {
  const clause = parsed(text)
    .statements.filter(ts.isExportDeclaration)
    .find((each) => each.moduleSpecifier?.text === from && each.exportClause)?.exportClause;
  if (!clause) throw new Error(`There are no named exports from ${from}.`);
  const last = clause.elements[clause.elements.length - 1].getEnd();
  return `${text.slice(0, last)}, ${names.join(', ')}${text.slice(last)}`;
};

const declares = (statement, name) =>
  ts.isVariableStatement(statement)
    ? statement.declarationList.declarations.some((each) => each.name.text === name)
    : statement.name?.text === name;

const parsed = (text) => ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest, true);

function literalOf(node) {
  if (!node) return undefined;
  if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node)) return node;
  if (ts.isBlock(node)) return literalOf(node.statements.find(ts.isReturnStatement)?.expression);
  if (ts.isArrowFunction(node)) return literalOf(node.body);
  return literalOf(node.expression);
}
