import { hasSetting, isComputed, isHidden, isRepeat, messageKinds, type Field } from '@sheaf/contracts';
import { TextField } from '../../parts/fields';
import { useWords } from '../../words/use-words';
import { useEditing } from '../editor/editing';
import type { Entry } from '../model/contents';
import { withMessage, type MessageKind } from '../model/messages';
import { useFaultText } from './part-field';
import { Settings } from './settings';

/** The wrong answers that a field can have, by its rules. */
const canBe: Readonly<Record<MessageKind, (field: Field) => boolean>> = {
  required: ({ required }) => required,
  pattern: ({ pattern }) => pattern !== undefined,
  min: ({ min, min_length, min_date, min_choices }) => [min, min_length, min_date, min_choices].some((bound) => bound !== undefined),
  max: ({ max, max_length, max_date, max_choices }) => [max, max_length, max_date, max_choices].some((bound) => bound !== undefined),
  unique: ({ unique }) => unique === true,
};

/** The author's own messages about wrong answers. One whose rule is gone stays in sight, so that it can be taken away. */
export function MessageSettings({ entry, field }: { entry: Entry; field: Field }) {
  const say = useWords('builder').settings;
  const faults = useEditing().state.faults.get(entry.id);
  const fault = faults?.find(({ part }) => part === 'messages')?.message;
  // People do not see what is wrong with a hidden field.
  const kinds =
    isHidden(field) || isComputed(field) ? [] : messageKinds.filter((kind) => canBe[kind](field) || field.messages?.[kind] !== undefined);
  if (kinds.length === 0 && fault === undefined) return null;
  return (
    <Settings title={say.messages}>
      {kinds.length > 0 && <p className="muted">{say.messagesHelp}</p>}
      {kinds.map((kind) => (
        <Message key={kind} entry={entry} field={field} kind={kind} />
      ))}
      {fault !== undefined && <p className="fault">{fault}</p>}
    </Settings>
  );
}

function Message({ entry: { id }, field, kind }: { entry: Entry; field: Field; kind: MessageKind }) {
  const say = useWords('builder').settings;
  const { edit } = useEditing();
  const isChoice = hasSetting(field, 'min_choices');
  const isOfItems = isRepeat(field);
  const labels = {
    required: say.messageRequired,
    pattern: say.messagePattern,
    min: isOfItems ? say.messageFewItems : isChoice ? say.messageFew : say.messageMin,
    max: isOfItems ? say.messageManyItems : isChoice ? say.messageMany : say.messageMax,
    unique: say.messageUnique,
  };
  return (
    <TextField
      label={labels[kind]}
      value={field.messages?.[kind] ?? ''}
      fault={useFaultText(id, `messages.${kind}`)}
      maxLength={300}
      onChange={(text) => edit({ do: 'change', id, to: withMessage(field, kind, text) })}
    />
  );
}
