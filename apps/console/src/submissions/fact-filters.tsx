import { submissionAreas } from '@sheaf/contracts';
import { Checkbox, RadioGroup, Select, TextField } from '../parts/fields';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { createdWithin, daysName, factTitle, type OwnFact } from './filters';
import style from './filters.module.css';
import { factIn, type PageSearch } from './list-search';

interface FactFilterProps {
  search: PageSearch;
  onChange: (search: PageSearch) => void;
}

const pastDays = [
  'today',
  'yesterday',
  'last_7_days',
  'last_30_days',
  'last_90_days',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
  'this_quarter',
  'last_quarter',
  'this_year',
  'last_year',
];
const futureDays = ['tomorrow', 'next_7_days', 'next_30_days', 'next_week', 'next_month', 'next_quarter', 'next_year'];

/** Days relative to today. Others than these, from an address, stay to be chosen. */
export function DaysSelect({
  value,
  onChange,
  hasFuture = false,
  first = [],
}: {
  value: string | null;
  onChange: (value: string) => void;
  hasFuture?: boolean;
  first?: readonly { value: string; label: string }[];
}) {
  const say = useWords('submissions');
  const formats = useFormats();
  const words = [...pastDays, ...(hasFuture ? futureDays : [])];
  const isOther = value !== null && !words.includes(value) && !first.some((each) => each.value === value);
  const nameOf = (chosen: string) => formats.either(chosen.split(/[\n,]/).map((word) => daysName(word, say.filterWords, formats)));
  const options = [...words, ...(isOther ? [value] : [])].map((word) => ({ value: word, label: nameOf(word) }));
  return (
    <Select
      label={say.days}
      help={say.daysHelp}
      options={[...first, ...options]}
      value={value}
      onChange={onChange}
      placeholder={say.choose}
    />
  );
}

const between = 'between';

/** When submissions arrived: days relative to today, or between two days. */
export function ArrivalFilter({ search, onChange }: FactFilterProps) {
  const say = useWords('submissions');
  const days = search[createdWithin];
  const choose = (value: string) =>
    onChange(
      value === between ? { ...search, [createdWithin]: undefined } : { ...search, [createdWithin]: value, from: undefined, to: undefined },
    );
  return (
    <>
      <DaysSelect value={days ?? between} onChange={choose} first={[{ value: between, label: say.mode_between }]} />
      {days === undefined && (
        <div className={style.range}>
          <TextField type="date" label={say.firstDay} value={search.from ?? ''} onChange={(from) => onChange({ ...search, from })} />
          <TextField type="date" label={say.lastDay} value={search.to ?? ''} onChange={(to) => onChange({ ...search, to })} />
        </div>
      )}
    </>
  );
}

const names = { version: '_version', language: '_language', files: '_files', area: '_in', match: '_match' } as const;

/** Asks for a condition on a fact about the submission that no column shows. @param versions the number of the newest one */
export function FactFilter({ target, versions, search, onChange }: FactFilterProps & { target: OwnFact; versions: number }) {
  const say = useWords('submissions');
  const { filterWords: words } = say;
  const name = `filter[${names[target]}]`;
  const other = `${name}[ne]`;
  const chosen = factIn(search, name);
  const set = (values: readonly string[]) => onChange({ ...search, [other]: undefined, [name]: values.join(',') });
  const title = factTitle(target, say);
  switch (target) {
    case 'version':
    case 'area': {
      const options =
        target === 'area'
          ? submissionAreas.map((area) => ({ value: area, label: words.areas[area] }))
          : Array.from({ length: versions }, (_, n) => ({ value: String(versions - n), label: say.versionNumber(versions - n) }));
      return (
        <fieldset className={style.choices}>
          <legend className="visually-hidden">{title}</legend>
          {options.map(({ value, label }) => (
            <Checkbox
              key={value}
              isSelected={chosen.includes(value)}
              onChange={(isSelected) =>
                set(options.map((each) => each.value).filter((each) => (each === value ? isSelected : chosen.includes(each))))
              }
            >
              {label}
            </Checkbox>
          ))}
          {target === 'version' && <p>{say.bitByBit}</p>}
        </fieldset>
      );
    }
    case 'language':
      return (
        <TextField
          label={title}
          help={`${say.languagesHelp} ${say.bitByBit}`}
          maxLength={200}
          value={search[name] ?? ''}
          onChange={(value) => onChange({ ...search, [other]: undefined, [name]: value })}
        />
      );
    case 'files':
      return (
        <RadioGroup
          label={title}
          options={[
            { value: 'true', label: say.yes },
            { value: 'false', label: say.no },
          ]}
          value={chosen[0] ?? null}
          onChange={(value) => set([value])}
        />
      );
    case 'match':
      return (
        <RadioGroup
          label={title}
          help={say.matchHelp}
          options={[
            { value: 'all', label: words.all },
            { value: 'any', label: words.any },
          ]}
          value={chosen[0] ?? 'all'}
          onChange={(value) => set(value === 'any' ? ['any'] : [])}
        />
      );
  }
}
