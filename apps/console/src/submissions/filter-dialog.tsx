import { answerKindOf, answerTraits, countriesOf, hasParts, isFile, listedKindOf } from '@sheaf/contracts';
import { useState } from 'react';
import { CountriesField } from '../parts/countries-field';
import { FormDialog } from '../parts/dialog';
import { Checkbox, RadioGroup, Select, TextField } from '../parts/fields';
import { useWords } from '../words/use-words';
import { ArrivalFilter, DaysSelect, FactFilter } from './fact-filters';
import { factTitle, hasBounds, hasDays, hasText, type Target } from './filters';
import style from './filters.module.css';
import { conditionsIn, statuses, statusesIn, withConditions, type Condition, type PageSearch } from './list-search';
import type { People } from './people';
import { useStatusName } from './status-badge';

interface FilterDialogProps {
  target: Target;
  search: PageSearch;
  people: People;
  /** The number of the newest version. */
  versions: number;
  onClose: () => void;
  onChange: (search: PageSearch) => void;
}

/** Asks for a condition on one column, or on another fact about the submission. */
export function FilterDialog({ target, search, people, versions, onClose, onChange }: FilterDialogProps) {
  const say = useWords('submissions');
  const [next, setNext] = useState(search);
  const [fieldDraft, setFieldDraft] = useState(() => draftOf(target, search));
  const title = {
    status: say.column_status,
    assignee: say.column_assignee,
    received: say.column_received,
    changed: say.changed,
  };
  const isFact =
    target === 'version' || target === 'language' || target === 'files' || target === 'area' || target === 'match' ? target : undefined;
  const name = typeof target !== 'string' ? target.label : isFact ? factTitle(isFact, say) : title[target as keyof typeof title];
  const apply = () => {
    onChange(typeof target === 'string' ? next : withConditions(search, target.key, conditionsOf(target, fieldDraft)));
    return Promise.resolve();
  };
  return (
    <FormDialog title={say.filterBy(name)} onClose={onClose} submitLabel={say.applyFilter} onSubmit={apply}>
      {target === 'status' && <StatusChoice search={next} onChange={setNext} />}
      {target === 'assignee' && (
        <Select
          label={say.column_assignee}
          options={people.list.map(({ id, name }) => ({ value: id, label: name }))}
          value={next.assignee ?? null}
          onChange={(assignee) => setNext({ ...next, assignee })}
          placeholder={say.choose}
        />
      )}
      {target === 'received' && <ArrivalFilter search={next} onChange={setNext} />}
      {isFact && <FactFilter target={isFact} versions={versions} search={next} onChange={setNext} />}
      {target === 'changed' && (
        <TextField
          type="date"
          label={say.changedSince}
          help={say.changedHelp}
          value={next.changed_since ?? ''}
          onChange={(day) => setNext({ ...next, changed_since: day })}
        />
      )}
      {typeof target !== 'string' && <FieldCondition target={target} draft={fieldDraft} onChange={setFieldDraft} />}
    </FormDialog>
  );
}

function StatusChoice({ search, onChange }: { search: PageSearch; onChange: (search: PageSearch) => void }) {
  const say = useWords('submissions');
  const nameOf = useStatusName();
  const chosen = statusesIn(search);
  const choose = (status: string, isSelected: boolean) =>
    onChange({ ...search, status: statuses.filter((each) => (each === status ? isSelected : chosen.includes(each))).join(',') });
  return (
    <fieldset className={style.choices}>
      <legend className="visually-hidden">{say.column_status}</legend>
      {statuses.map((status) => (
        <Checkbox key={status} isSelected={chosen.includes(status)} onChange={(isSelected) => choose(status, isSelected)}>
          {nameOf(status)}
        </Checkbox>
      ))}
    </fieldset>
  );
}

type Mode = 'contains' | 'startsWith' | 'is' | 'isNot' | 'within' | 'between' | 'answered' | 'unanswered';

interface Draft {
  mode: Mode;
  values: readonly string[];
  from: string;
  to: string;
}

function draftOf(target: Target, search: PageSearch): Draft {
  const start: Mode = modesOf(target)[0] ?? 'is';
  const draft: Draft = { mode: start, values: [], from: '', to: '' };
  if (typeof target === 'string') return draft;
  for (const { key, comparison, values } of conditionsIn(search)) {
    if (key !== target.key) continue;
    if (comparison === 'answered' || comparison === 'empty')
      draft.mode = (values[0] === 'true') === (comparison === 'answered') ? 'answered' : 'unanswered';
    else if (comparison === 'gte' || comparison === 'gt') draft.from = values[0] ?? '';
    else if (comparison === 'lte' || comparison === 'lt') draft.to = values[0] ?? '';
    else Object.assign(draft, { mode: modeOf[comparison], values });
  }
  return draft;
}

/** The ways in which an answer can be compared, the one that people mostly want first. */
function modesOf(target: Target): readonly Mode[] {
  if (hasBounds(target)) return hasDays(target) ? ['between', 'within', 'answered', 'unanswered'] : ['between', 'answered', 'unanswered'];
  if (typeof target !== 'string' && isFile(target)) return ['answered', 'unanswered'];
  return hasText(target) ? ['contains', 'startsWith', 'is', 'isNot', 'answered', 'unanswered'] : ['is', 'isNot', 'answered', 'unanswered'];
}

const modeOf = { eq: 'is', ne: 'isNot', contains: 'contains', starts_with: 'startsWith', within: 'within' } as const;
const comparisonOf = { is: 'eq', isNot: 'ne', contains: 'contains', startsWith: 'starts_with', within: 'within' } as const;

function conditionsOf(target: Target, { mode, values, from, to }: Draft): Omit<Condition, 'key'>[] {
  if (mode === 'answered' || mode === 'unanswered') return [{ comparison: 'answered', values: [String(mode === 'answered')] }];
  if (mode === 'between') {
    const bound = (value: string) => [typeof target !== 'string' && answerKindOf(target) === 'datetime' ? instant(value) : value.trim()];
    return [
      { comparison: 'gte', values: bound(from) },
      { comparison: 'lte', values: bound(to) },
    ];
  }
  return [{ comparison: comparisonOf[mode], values: values.map((value) => value.trim()).filter((value) => value !== '') }];
}

/** A control for a local time has no time zone; the answers have. */
const instant = (local: string): string => (Number.isNaN(Date.parse(local)) ? local : new Date(local).toISOString());
const local = (text: string): string => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

function FieldCondition({ target, draft, onChange }: { target: Exclude<Target, string>; draft: Draft; onChange: (draft: Draft) => void }) {
  const say = useWords('submissions');
  const modes = modesOf(target);
  const label = {
    contains: say.mode_contains,
    startsWith: say.mode_startsWith,
    is: say.mode_is,
    isNot: say.mode_isNot,
    within: say.mode_within,
    between: say.mode_between,
    answered: say.hasAnswer,
    unanswered: say.hasNoAnswer,
  };
  const control = answerTraits(listedKindOf(answerKindOf(target))).input ?? 'text';
  const shown = (value: string) => (control === 'datetime-local' ? local(value) : value);
  return (
    <>
      <RadioGroup
        label={hasParts(target) ? say.firstDay : say.theAnswer}
        options={modes.map((value) => ({ value, label: label[value] }))}
        value={draft.mode}
        onChange={(mode) => onChange({ ...draft, mode })}
      />
      {draft.mode === 'between' && (
        <div className={style.range}>
          <TextField type={control} label={say.atLeast} value={shown(draft.from)} onChange={(from) => onChange({ ...draft, from })} />
          <TextField type={control} label={say.atMost} value={shown(draft.to)} onChange={(to) => onChange({ ...draft, to })} />
        </div>
      )}
      {draft.mode === 'within' && (
        <DaysSelect
          hasFuture
          value={draft.values.length === 0 ? null : draft.values.join('\n')}
          onChange={(value) => onChange({ ...draft, values: value.split('\n') })}
        />
      )}
      {draft.mode in comparisonOf && draft.mode !== 'within' && <AnswerChoice target={target} draft={draft} onChange={onChange} />}
    </>
  );
}

function AnswerChoice({ target, draft, onChange }: { target: Exclude<Target, string>; draft: Draft; onChange: (draft: Draft) => void }) {
  const say = useWords('submissions');
  if (target.type === 'country')
    return (
      <CountriesField
        label={say.answer}
        codes={draft.values}
        offered={countriesOf(target)}
        onChange={(values) => onChange({ ...draft, values })}
      />
    );
  const choices =
    answerKindOf(target) === 'boolean'
      ? [
          { value: 'true', label: say.yes },
          { value: 'false', label: say.no },
        ]
      : 'options' in target
        ? target.options
        : undefined;
  if (!choices)
    return (
      <TextField
        label={say.answer}
        help={`${draft.mode === 'is' || draft.mode === 'isNot' ? say.equalHelp : say.partHelp} ${say.severalHelp}`}
        isLong
        rows={2}
        value={draft.values.join('\n')}
        onChange={(value) => onChange({ ...draft, values: value.split('\n') })}
      />
    );
  const choose = (value: string, isSelected: boolean) =>
    onChange({ ...draft, values: isSelected ? [...draft.values, value] : draft.values.filter((each) => each !== value) });
  return (
    <fieldset className={style.choices}>
      <legend className="visually-hidden">{target.label}</legend>
      {choices.map(({ value, label }) => (
        <Checkbox key={value} isSelected={draft.values.includes(value)} onChange={(isSelected) => choose(value, isSelected)}>
          <span dir="auto">{label}</span>
        </Checkbox>
      ))}
    </fieldset>
  );
}
