import type { WebhookEvent } from '@sheaf/client';
import type { Field } from '@sheaf/contracts';
import { Plus, Trash2 } from 'lucide-react';
import { begun, type SimpleCondition } from '../builder/model/conditions';
import { Comparison, isSimple } from '../builder/settings/comparison';
import { Button, IconButton } from '../parts/button';
import { Checkbox, Select, Switch } from '../parts/fields';
import { statuses as allStatuses } from '../submissions/list-search';
import { useStatusName } from '../submissions/status-badge';
import { useWords } from '../words/use-words';
import { onlyIs, onlyWithStatus, type Choice } from './choice';
import style from './webhooks.module.css';

/** Which of the events a webhook hears of, and which answers it receives. @param fields those of its form, if it has one. */
export function ChoiceFields({
  choice,
  events,
  fields,
  onChange,
}: {
  choice: Choice;
  events: readonly WebhookEvent[];
  fields: readonly Field[];
  onChange: (choice: Choice) => void;
}) {
  return (
    <>
      {onlyWithStatus(events) && <Statuses choice={choice} onChange={onChange} />}
      {onlyIs(events, 'submission.created') && (fields.length > 0 || choice.conditions.length > 0) && (
        <Conditions choice={choice} fields={fields} onChange={onChange} />
      )}
      {events.includes('submission.created') && (fields.length > 0 || choice.fields !== undefined) && (
        <ChosenFields choice={choice} fields={fields} onChange={onChange} />
      )}
    </>
  );
}

interface PartProps {
  choice: Choice;
  onChange: (choice: Choice) => void;
}

function Statuses({ choice, onChange }: PartProps) {
  const say = useWords('webhooks');
  const nameOf = useStatusName();
  const { statuses } = choice;
  return (
    <fieldset className={style.events}>
      <legend className={style.legend}>{say.filterStatuses}</legend>
      <p className="muted">{say.filterStatusesHelp}</p>
      {allStatuses.map((status) => (
        <Checkbox
          key={status}
          isSelected={statuses.includes(status)}
          onChange={(isChosen) =>
            onChange({ ...choice, statuses: allStatuses.filter((each) => (each === status ? isChosen : statuses.includes(each))) })
          }
        >
          {nameOf(status)}
        </Checkbox>
      ))}
    </fieldset>
  );
}

function Conditions({ choice, fields, onChange }: PartProps & { fields: readonly Field[] }) {
  const say = useWords('webhooks');
  const builder = useWords('builder').settings;
  const { conditions } = choice;
  const set = (changed: Choice['conditions']) => onChange({ ...choice, conditions: changed });
  const change = (key: number, condition: SimpleCondition) => set(conditions.map((row) => (row.key === key ? { key, condition } : row)));
  const [first] = fields;
  const next = Math.max(-1, ...conditions.map(({ key }) => key)) + 1;
  return (
    <fieldset className={style.events}>
      <legend className={style.legend}>{say.filterAnswers}</legend>
      <p className="muted">{say.filterAnswersHelp}</p>
      {conditions.map(({ key, condition }, at) => {
        const source = fields.find((field) => field.key === condition.key);
        const removed = source ? [] : [{ value: condition.key, label: condition.key }];
        return (
          <div key={key} className={style.conditionRow}>
            <Select
              label={builder.conditionField}
              value={condition.key}
              options={[...removed, ...fields.map((field) => ({ value: field.key, label: field.label }))]}
              onChange={(to) => {
                const chosen = fields.find((field) => field.key === to);
                if (chosen && to !== condition.key) change(key, begun(chosen));
              }}
            />
            {source && <Comparison condition={condition} source={source} onChange={(to) => isSimple(to) && change(key, to)} />}
            <IconButton
              icon={Trash2}
              label={say.removeCondition(at + 1)}
              onPress={() => set(conditions.filter((row) => row.key !== key))}
            />
          </div>
        );
      })}
      {first && (
        <div>
          <Button isSmall icon={Plus} onPress={() => set([...conditions, { key: next, condition: begun(first) }])}>
            {say.addCondition}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

function ChosenFields({ choice, fields, onChange }: PartProps & { fields: readonly Field[] }) {
  const say = useWords('webhooks');
  const { fields: chosen } = choice;
  const known = fields.map(({ key }) => key);
  // Of questions that were removed since; a version that is brought back may have them again.
  const removed = (chosen ?? []).filter((key) => !known.includes(key));
  return (
    <fieldset className={style.events}>
      <legend className={style.legend}>{say.chosenFields}</legend>
      <p className="muted">{say.chosenFieldsHelp}</p>
      <Switch isSelected={chosen !== undefined} onChange={(isOn) => onChange({ ...choice, fields: isOn ? known : undefined })}>
        {say.chosenFieldsOnly}
      </Switch>
      {chosen &&
        [...fields, ...removed.map((key) => ({ key, label: key }))].map(({ key, label }) => (
          <Checkbox
            key={key}
            isSelected={chosen.includes(key)}
            onChange={(isChosen) =>
              onChange({ ...choice, fields: [...known, ...removed].filter((each) => (each === key ? isChosen : chosen.includes(each))) })
            }
          >
            <bdi>{label}</bdi>
          </Checkbox>
        ))}
    </fieldset>
  );
}
