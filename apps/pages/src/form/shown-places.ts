import { isField, type FormItem } from '@sheaf/contracts';
import { answeredItems, indexInItem, questionsIn, type Placed, type Read } from '@sheaf/form-view';

/** Something that is shown, and its place by which pages tell that their respondent has seen it. */
interface ShownPlace {
  place: string;
  item: FormItem;
}

/** All that is shown of these, also in the items of repeats, whose questions have the keys that they have there. */
export const placesShown = (placed: readonly Placed[], { shown, inItems }: Pick<Read, 'shown' | 'inItems'>): ShownPlace[] =>
  placed.flatMap(({ index, item }): ShownPlace[] => {
    if (shown[index] !== true) return [];
    const repeated = isField(item)
      ? (inItems.get(item.key) ?? []).flatMap((given, at) =>
          questionsIn(item, at).flatMap((question, inner) =>
            given.shown[inner] === true ? [{ place: indexInItem(index, at, inner), item: question }] : [],
          ),
        )
      : [];
    return [{ place: String(index), item }, ...repeated];
  });

/** The places of a page as they are once its empty items are gone, which gives others new numbers. */
export function withoutEmptyPlaces(items: readonly FormItem[], places: string, typed: Pick<Read, 'inItems'>): string {
  const answered = new Map(
    items.flatMap((item, index) => (isField(item) && typed.inItems.has(item.key) ? [[index, answeredItems(item, typed)] as const] : [])),
  );
  const now = places.split(' ').flatMap((place) => {
    const [index = NaN, at, question] = place.split('.').map(Number);
    const left = answered.get(index);
    if (at === undefined || question === undefined || !left) return [place];
    const to = left.indexOf(at);
    return to < 0 ? [] : [indexInItem(index, to, question)];
  });
  return now.join(' ');
}
