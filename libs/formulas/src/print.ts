import { operators, tightness, tightnessOfNot, tightnessOfSign, type Operation, type Operator, type Tree } from './tree';

/** A tree as the text of a formula, with no more parentheses than it needs. */
export function printFormula(tree: Tree): string {
  switch (tree.kind) {
    case 'number':
      return tree.value;
    case 'text':
      return `'${tree.value.replaceAll("'", "''")}'`;
    case 'truth':
      return String(tree.value);
    case 'name':
      return tree.key;
    case 'call':
      return printCall(tree);
  }
}

const isOperator = (of: Operation): of is Operator => (operators as readonly string[]).includes(of);

function printCall({ of, parts }: Tree & { kind: 'call' }): string {
  const [first, second] = parts;
  if (of === 'negative' && first) return `-${held(first, tightnessOfSign)}`;
  if (of === 'not' && first) return `not ${held(first, tightnessOfNot)}`;
  if (!isOperator(of) || !first || !second) return `${of}(${parts.map(printFormula).join(', ')})`;
  const tight = tightness[of];
  const isComparison = tight === tightness['='];
  // Equal operators are read from the left, and comparisons not at all.
  return `${held(first, isComparison ? tight : tight - 1)} ${of} ${held(second, tight)}`;
}

/** In parentheses if it would fall apart beside an operator. A sign or `not` holds on to all that follows, so it stands in some wherever that matters. */
function held(tree: Tree, least: number): string {
  const text = printFormula(tree);
  return tightnessOf(tree) > least ? text : `(${text})`;
}

function tightnessOf(tree: Tree): number {
  if (tree.kind !== 'call') return Infinity;
  if (isOperator(tree.of)) return tightness[tree.of];
  return tree.of === 'not' ? tightnessOfNot : tree.of === 'negative' ? tightnessOfSign : Infinity;
}
