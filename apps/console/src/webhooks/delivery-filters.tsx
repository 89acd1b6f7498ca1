import { useState } from 'react';
import { Select, SearchField, TextField, type Option } from '../parts/fields';
import { useWords } from '../words/use-words';
import { heldBack, type DeliveryFilter } from './delivery-query';
import { eventName, sentEvents } from './event-names';
import { ofForm } from './webhook-place';
import { useWebhooks } from './webhooks-of';
import style from './webhooks.module.css';

const all = '';
/** The statuses that receivers send most; others can be written into the address. */
const statuses = ['400', '401', '403', '404', '410', '422', '429', '500', '502', '503', '504'];

/** Narrows the log down. */
export function DeliveryFilters({
  formId,
  filter,
  onFilter,
}: {
  formId: string;
  filter: DeliveryFilter;
  onFilter: (filter: DeliveryFilter) => void;
}) {
  const say = useWords('webhooks');
  const stateNames = useWords('deliveries').states;
  const { data } = useWebhooks(ofForm(formId));
  const states: Option<string>[] = [
    { value: all, label: say.anyState },
    { value: 'failed', label: stateNames.failed },
    { value: 'pending', label: stateNames.pending },
    { value: 'succeeded', label: stateNames.succeeded },
    { value: 'cancelled', label: stateNames.cancelled },
    { value: 'skipped', label: stateNames.skipped },
    { value: heldBack, label: say.heldBack },
  ];
  const events = [{ value: all, label: say.anyEvent }, ...sentEvents.map((event) => ({ value: event, label: eventName(event, say) }))];
  const webhooks = [{ value: all, label: say.allWebhooks }, ...(data?.data ?? []).map(({ id, url }) => ({ value: id, label: url }))];
  const named = [
    { value: all, label: say.anyAnswer },
    { value: '2xx', label: say.answers2xx },
    { value: '3xx', label: say.answers3xx },
    { value: '4xx', label: say.answers4xx },
    { value: '5xx', label: say.answers5xx },
    { value: 'none', label: say.noAnswer },
    ...statuses.map((status) => ({ value: status, label: status })),
  ];
  const { answer } = filter;
  const isNamed = answer === undefined || named.some(({ value }) => value === answer);
  const answers = isNamed ? named : [...named, { value: answer, label: answer }];
  const change = (name: keyof DeliveryFilter) => (value: string) => onFilter({ ...filter, [name]: value === all ? undefined : value });
  const changeTime = (name: 'from' | 'to') => (local: string) => change(name)(local === '' ? all : new Date(local).toISOString());
  return (
    <div className={style.filters}>
      <SubmissionSearch key={filter.submission} submission={filter.submission} onSearch={change('submission')} />
      <Select label={say.webhook} options={webhooks} value={filter.webhook ?? all} onChange={change('webhook')} />
      <Select label={say.state} options={states} value={filter.state ?? all} onChange={change('state')} />
      <Select label={say.answer} options={answers} value={answer ?? all} onChange={change('answer')} />
      <Select label={say.event} options={events} value={filter.event ?? all} onChange={change('event')} />
      <TextField label={say.plannedFrom} type="datetime-local" value={localOf(filter.from)} onChange={changeTime('from')} />
      <TextField label={say.plannedTo} type="datetime-local" value={localOf(filter.to)} onChange={changeTime('to')} />
    </div>
  );
}

/** Of one submission: its reference is its id. It is looked for on Enter, and no longer once the field is empty. */
function SubmissionSearch({ submission = '', onSearch }: { submission: string | undefined; onSearch: (submission: string) => void }) {
  const say = useWords('webhooks');
  const [text, setText] = useState(submission);
  return (
    <SearchField
      label={say.submissionReference}
      value={text}
      onChange={(value) => {
        setText(value);
        if (value === '' && submission !== '') onSearch('');
      }}
      onSubmit={(value) => onSearch(value.trim())}
    />
  );
}

/** An instant of the address, as a control for a local time shows it. */
function localOf(instant: string | undefined): string {
  const at = new Date(instant ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
