import { answerKindOf, answerTraits, maxItemsOfRepeat, type Field } from '@sheaf/contracts';
import { maxTextLength } from './evaluate';
import { namedInItems, type Tree } from './tree';

/** The number of parts of a formula. A name in the items of a repeat is as many as there can be items. */
export function partsOf(tree: Tree): number {
  if (tree.kind === 'name') return namedInItems(tree.key) ? maxItemsOfRepeat : 1;
  return 1 + (tree.kind === 'call' ? tree.parts.reduce((sum, part) => sum + partsOf(part), 0) : 0);
}

/** Of a number: 21 digits before the point, 20 behind it, and a sign. Days are shorter. */
const longestPlain = 43;

/** The most characters of the text that a formula can give; for other results, what they have in one. */
export function longestText(tree: Tree, fieldOf: (key: string) => Field | undefined): number {
  return Math.min(unboundedText(tree, fieldOf), maxTextLength);
}

function unboundedText(tree: Tree, fieldOf: (key: string) => Field | undefined): number {
  if (tree.kind === 'text') return tree.value.length;
  if (tree.kind === 'name') return longestAnswer(fieldOf(tree.key), 'value');
  if (tree.kind !== 'call') return longestPlain;
  const { of, parts } = tree;
  const [first, ...others] = parts;
  const lengths = (each: readonly Tree[]) => each.map((part) => longestText(part, fieldOf));
  if (of === 'if') return Math.max(...lengths(others));
  if (of === 'coalesce') return Math.max(...lengths(parts));
  if (of === 'concat') return lengths(parts).reduce((sum, each) => sum + each, 0);
  if (of === 'label') return longestAnswer(first?.kind === 'name' ? fieldOf(first.key) : undefined, 'label');
  return longestPlain;
}

function longestAnswer(field: Field | undefined, part: 'value' | 'label'): number {
  if (!field) return maxTextLength;
  const kind = answerKindOf(field);
  if (kind === 'option') return Math.max(0, ...(field.options ?? []).map((option) => option[part].length));
  return answerTraits(kind).isShort ? longestPlain : maxTextLength;
}
