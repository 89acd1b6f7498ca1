import { isRepeat, maxItemsOfRepeat, type Field } from '@sheaf/contracts';
import { useWords } from '../../words/use-words';
import style from '../editor/editor.module.css';
import { Palette } from '../editor/palette';
import type { Entry } from '../model/contents';
import { isForItems, type Kind } from '../model/kinds';
import { PartField, PartNumber, useFaultText } from './part-field';
import { Settings } from './settings';

/** The items of a repeat: what each is called, how many there may be, and the fields that each is asked for. */
export function RepeatSettings({ entry, field, onAddInner }: { entry: Entry; field: Field; onAddInner: (kind: Kind) => void }) {
  const { settings: say, page } = useWords('builder');
  const fault = useFaultText(entry.id, 'fields');
  if (!isRepeat(field)) return null;
  return (
    <Settings title={say.items}>
      <p className="muted">{say.itemsHelp}</p>
      <div>
        <Palette isSmall label={page.addInner} isOffered={isForItems} hasFields={false} onAdd={onAddInner} />
      </div>
      {fault !== undefined && <p className="fault">{fault}</p>}
      <PartField entry={entry} part="item_label" label={say.itemLabel} help={say.itemLabelHelp} />
      <div className={style.pair}>
        <PartNumber entry={entry} part="min" label={say.minItems} minValue={0} maxValue={maxItemsOfRepeat} />
        <PartNumber entry={entry} part="max" label={say.maxItems} minValue={1} maxValue={maxItemsOfRepeat} />
      </div>
    </Settings>
  );
}
