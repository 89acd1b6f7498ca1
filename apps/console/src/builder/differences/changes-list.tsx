import type { ItemChange, Payment, PriceChange } from '@sheaf/client';
import { mainTextOf, type FormItem } from '@sheaf/contracts';
import { classes } from '../../parts/classes';
import { Badge, type Tone } from '../../parts/states';
import { useFormats } from '../../words/use-formats';
import { useLanguage, useWords } from '../../words/use-words';
import { kindOf } from '../model/kinds';
import style from './differences.module.css';
import { partName, partText } from './value-text';
import { priceText } from './price-text';

const tones: Readonly<Record<ItemChange['kind'], Tone>> = {
  added: 'good',
  removed: 'bad',
  retyped: 'waiting',
  changed: 'active',
  moved: 'neutral',
};

/** The differences between two contents of a form, as people would say them. */
export function ChangesList({ changes, payment }: { changes: readonly ItemChange[]; payment: PriceChange | undefined }) {
  const say = useWords('builder').differences;
  if (changes.length === 0 && !payment) return <p className="muted">{say.none}</p>;
  return (
    <ul className={style.changes} aria-label={say.changes}>
      {changes.map((change, index) => (
        <Change key={index} change={change} />
      ))}
      {payment && <PriceItem change={payment} />}
    </ul>
  );
}

function Change({
  change: { kind, from, to, changed_properties: parts = [], from_position = 0, to_position = 0 },
}: {
  change: ItemChange;
}) {
  const say = useWords('builder').differences;
  const kindSay = useWords('builder').kinds;
  const [before, after] = [from, to] as (FormItem | undefined)[];
  const item = after ?? before;
  if (!item) return null;
  return (
    <li className={classes(style.change, kind === 'added' && style.added, kind === 'removed' && style.removed)}>
      <div className={style.head}>
        <Badge tone={tones[kind]}>{say[kind]}</Badge>
        <bdi>{mainTextOf(item)}</bdi>
        <span className="muted">{kind === 'moved' ? say.movedFromTo(from_position, to_position) : kindSay[kindOf(item)]}</span>
      </div>
      {before && after && kind !== 'moved' && (
        <dl className={style.parts}>
          {parts.map((part) => (
            <Part key={part} part={part} before={before} after={after} />
          ))}
        </dl>
      )}
    </li>
  );
}

function Part({ part, before, after }: { part: string; before: FormItem; after: FormItem }) {
  const words = useWords('builder');
  const formats = useFormats();
  return (
    <div>
      <dt className="muted">{partName(part, words, after)}</dt>
      <dd>
        <FromTo from={partText(before, part, words, formats)} to={partText(after, part, words, formats)} />
      </dd>
    </div>
  );
}

function PriceItem({ change: { from, to } }: { change: PriceChange }) {
  const { differences: say, page } = useWords('builder');
  const language = useLanguage();
  const text = (price: Payment | undefined) => (price ? priceText(price, language, page) : say.free);
  return (
    <li className={style.change}>
      <div className={style.head}>
        <Badge tone="waiting">{say.price}</Badge>
        <FromTo from={text(from)} to={text(to)} />
      </div>
    </li>
  );
}

function FromTo({ from, to }: { from: string | undefined; to: string | undefined }) {
  const say = useWords('builder').differences;
  return (
    <>
      <span className="visually-hidden">{say.was}: </span>
      <del className={style.was} dir="auto">
        {from ?? say.nothing}
      </del>{' '}
      <span aria-hidden>→</span> <span className="visually-hidden">{say.now}: </span>
      <ins dir="auto">{to ?? say.nothing}</ins>
    </>
  );
}
