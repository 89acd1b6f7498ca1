import { TextQuote } from 'lucide-react';
import { labelTextOf } from '@sheaf/contracts';
import type { RefObject } from 'react';
import { Button } from '../../parts/button';
import { Menu, MenuItem } from '../../parts/menu';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import { earlierFor, type Entry } from '../model/contents';

interface Props {
  entry: Entry;
  /** The label of the text. */
  label: string;
  value: string;
  control: RefObject<HTMLInputElement | HTMLTextAreaElement | null>;
  onChange: (text: string) => void;
}

/** Inserts the answer to an earlier question where the caret of a text is. Nothing where no question stands before it. */
export function AnswerMenu({ entry, label, value, control, onChange }: Props) {
  const say = useWords('builder').settings;
  const { entries } = useEditing().state.history.present;
  const earlier = earlierFor(entry, entries);
  if (earlier.length === 0) return null;
  const insert = (key: string) => {
    const { selectionStart, selectionEnd } = control.current ?? {};
    const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    onChange(`${value.slice(0, from)}{{${key}}}${value.slice(to)}`);
  };
  const name = `${say.insertAnswer}: ${label}`;
  return (
    <div>
      <Menu
        label={name}
        trigger={
          <Button isSmall look="quiet" icon={TextQuote} aria-label={name}>
            {say.insertAnswer}
          </Button>
        }
        onAction={(key) => insert(String(key))}
      >
        {earlier.map((field) => (
          <MenuItem key={field.key} id={field.key} after={<code className="muted">{field.key}</code>}>
            {labelTextOf(field)}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
