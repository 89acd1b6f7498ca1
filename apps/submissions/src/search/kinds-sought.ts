import { answerTraits, isFilterFact, listedKindOf, type AnswerFilter, type AnswerKind } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { FieldOrder } from '../form/forms-view';
import { isAnyEnough, parameterOf } from './filter';
import { partKey } from './terms';

type Kinds = Pick<FieldOrder, 'kind' | 'kinds'>;

/** An earlier release of `forms` tells no kind. */
const isText = (kind: AnswerKind | undefined): boolean => kind === undefined || answerTraits(kind).isText === true;

/** Kinds within which answers are compared in the same way. Numbers and moments are compared by one number, which means another thing in each. */
const meaningOf = (kind: AnswerKind | undefined): string =>
  isText(kind) ? 'text' : kind === 'whole' ? 'number' : kind === 'options' ? 'option' : (kind ?? 'text');

/** The kinds of the answers to a field in the versions that the filters leave. */
function kindsIn({ kind, kinds = [] }: Kinds, filters: readonly AnswerFilter[]): (AnswerKind | undefined)[] {
  const isLeft = versionsLeft(filters);
  const left = kinds.filter(({ versions }) => versions.some(isLeft)).map((each) => each.kind);
  return left.length === 0 ? [kind] : left;
}

/** A condition on the version leaves every version if one of several conditions is enough. */
function versionsLeft(filters: readonly AnswerFilter[]): (version: number) => boolean {
  const ofVersions = isAnyEnough(filters) ? [] : filters.filter(({ key }) => key === '_version');
  const wanted = ofVersions.map(({ comparison, values }) => ({
    isNegated: comparison === 'ne',
    numbers: new Set(values.flatMap((value) => value.split(',')).map(Number)),
  }));
  return (version) => wanted.every(({ isNegated, numbers }) => numbers.has(version) !== isNegated);
}

/** Comparisons that are of texts, numbers or moments. Equality, and whether there is an answer, mean the same for all. */
const isOfOneKind = ({ key, comparison }: AnswerFilter): boolean =>
  !isFilterFact(key) && ['gt', 'gte', 'lt', 'lte', 'within', 'contains', 'starts_with'].includes(comparison);

/**
 * The kind of the answers that each filter on a part, an order or days compares, by key.
 * @throws Problem `bad_request` if the versions differ so that some answers would be compared wrongly, or left out in silence
 */
export async function kindsSought(
  orderOf: (key: string) => Promise<Kinds>,
  filters: readonly AnswerFilter[],
): Promise<Map<string, AnswerKind | undefined>> {
  const found = new Map<string, AnswerKind | undefined>();
  for (const filter of filters.filter(isOfOneKind)) {
    const [kind, ...others] = kindsIn(await orderOf(filter.key), filters).map((each) => each && listedKindOf(each));
    refuseMixed(parameterOf(filter), [kind, ...others].map(meaningOf));
    if ((filter.comparison === 'contains' || filter.comparison === 'starts_with') && !isText(kind))
      throw Problem.badRequest(`${parameterOf(filter)}: only texts can be compared so, and the field has other answers`);
    found.set(filter.key, kind);
  }
  return found;
}

/** The keys of the answers that are files, and of the parts that are. @throws Problem `bad_request` if the answers to one of them are something else in some versions */
export function filesSought(fields: ReadonlyMap<string, Kinds>, filters: readonly AnswerFilter[]): string[] {
  return [...fields].flatMap(([key, order]) => {
    const left = kindsIn(order, filters).map((kind) => (kind !== undefined && answerTraits(kind).hasFiles ? kind : 'other'));
    refuseMixed(`filter[_files]: ${key}`, left);
    if (left.includes('signature')) return partKey(key, 'file_id');
    return left.includes('file') ? key : [];
  });
}

function refuseMixed(name: string, meanings: readonly string[]): void {
  if (new Set(meanings).size < 2) return;
  throw Problem.badRequest(`${name}: the answers are of another kind in some versions of the form; choose versions with filter[_version]`);
}
