import { ChevronsUpDown } from 'lucide-react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { ComboBox } from 'react-aria-components/ComboBox';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import fields from '../parts/fields.module.css';
import overlay from '../parts/overlay.module.css';
import style from './share.module.css';
import { timeZones } from './wall-time';

const zones = timeZones().map((id) => ({ id, name: id.replaceAll('_', ' ') }));

/** A choice among some hundred zones, by typing a part of the name. */
export function TimeZoneField({
  label,
  help,
  value,
  onChange,
  isReadOnly,
}: {
  label: string;
  help: string;
  value: string;
  onChange: (zone: string) => void;
  isReadOnly: boolean;
}) {
  const known = zones.some(({ id }) => id === value) ? zones : [{ id: value, name: value }, ...zones];
  return (
    <ComboBox
      defaultItems={known}
      value={value}
      onChange={(key) => key !== null && onChange(String(key))}
      isReadOnly={isReadOnly}
      className={fields.field ?? ''}
    >
      <Label className={fields.label ?? ''}>{label}</Label>
      <Text slot="description" className={fields.help ?? ''}>
        {help}
      </Text>
      <div className={style.combo}>
        <Input className={fields.input ?? ''} />
        {!isReadOnly && (
          <AriaButton className={style.comboButton ?? ''}>
            <ChevronsUpDown size={14} aria-hidden />
          </AriaButton>
        )}
      </div>
      <Popover className={overlay.popover ?? ''} offset={4}>
        <ListBox className={fields.listBox ?? ''}>
          {({ id, name }: { id: string; name: string }) => (
            <ListBoxItem id={id} textValue={name} className={overlay.item ?? ''}>
              {name}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
