import type { FormItem, Payment } from '@sheaf/contracts';
import { useFormats } from '../../words/use-formats';
import { useLanguage, useWords } from '../../words/use-words';
import style from './differences.module.css';
import { isPrice } from '../model/contents';
import { partName, partText } from './value-text';
import { priceText } from './price-text';

/** The main parts of an item, or those that are named, in words. */
export function ItemSummary({ item, parts }: { item: FormItem | Payment; parts: readonly string[] }) {
  const words = useWords('builder');
  const language = useLanguage();
  const formats = useFormats();
  if (isPrice(item)) return <p>{priceText(item, language, words.page)}</p>;
  const shown = parts.length > 0 ? parts : Object.keys(item).filter((part) => part !== 'key');
  return (
    <dl className={style.parts}>
      {shown.map((part) => (
        <div key={part}>
          <dt className="muted">{partName(part, words, item)}</dt>
          <dd dir="auto">{partText(item, part, words, formats) ?? '–'}</dd>
        </div>
      ))}
    </dl>
  );
}
