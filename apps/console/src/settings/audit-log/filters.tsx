import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown, X } from 'lucide-react';
import { Button } from '../../parts/button';
import { Select, TextField } from '../../parts/fields';
import { Menu, MenuItem } from '../../parts/menu';
import { useSession } from '../../session/session';
import { useFormats } from '../../words/use-formats';
import { useWords } from '../../words/use-words';
import { useFormTitles } from '../form-titles';
import { membersQuery } from '../workspace/queries';
import { actionsOf, areas, areasIn, parseActions, type Area } from './areas';
import style from './audit-log.module.css';
import { asQuery, type AuditSearch } from './filter';

interface Props {
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}

const all = '';

/** The filters of the log. Each name in an entry can be chosen from it, too. */
export function Filters({ search, onSearch }: Props) {
  const say = useWords('auditLog').page;
  const titles = useFormTitles();
  const { data: members } = useQuery(membersQuery(useSession().workspace?.id ?? ''));
  const set = (name: keyof AuditSearch) => (value: string) => onSearch({ ...search, [name]: value === all ? undefined : value });
  const withChosen = (options: { value: string; label: string }[], chosen: string | undefined) =>
    chosen === undefined || options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: chosen }];
  const actors = (members?.data ?? []).map(({ user_id: id, name }) => ({ value: id, label: name }));
  const forms = [...titles].map(([id, title]) => ({ value: id, label: title }));
  return (
    <div className={style.filters} role="group" aria-label={say.filters}>
      <Select
        label={say.actor}
        options={withChosen([{ value: all, label: say.anybody }, ...actors], search.actor)}
        value={search.actor ?? all}
        onChange={set('actor')}
      />
      <Areas search={search} onSearch={onSearch} />
      <Select
        label={say.form}
        options={withChosen([{ value: all, label: say.anyForm }, ...forms], search.form)}
        value={search.form ?? all}
        onChange={set('form')}
      />
      <TextField label={say.from} type="date" value={search.from ?? ''} onChange={set('from')} />
      <TextField label={say.to} type="date" value={search.to ?? ''} onChange={set('to')} />
      {search.target !== undefined && (
        <Button icon={X} onPress={() => onSearch({ ...search, target: undefined })}>
          {say.onlyTarget(search.target.slice(-8))}
        </Button>
      )}
      {Object.keys(asQuery(search)).length > 0 && (
        <Button look="quiet" onPress={() => onSearch({})}>
          {say.clear}
        </Button>
      )}
    </div>
  );
}

/** Several areas at once, each of several actions. */
function Areas({ search, onSearch }: Props) {
  const say = useWords('auditLog').page;
  const formats = useFormats();
  const chosen = parseActions(search.action);
  const selected = areasIn(chosen);
  const isWholeAreas = selected.flatMap(actionsOf).length === chosen.length;
  const name =
    chosen.length === 0
      ? say.anything
      : isWholeAreas
        ? formats.list(selected.map((area) => say[area]))
        : (search.action?.includes(',') ?? false)
          ? say.chosen(formats.number(chosen.length))
          : (chosen[0] ?? '');
  const choose = (keys: 'all' | Iterable<unknown>) => {
    const wanted = keys === 'all' ? areas : areas.filter((area) => new Set(keys).has(area));
    const actions = wanted.flatMap((area: Area) => actionsOf(area));
    onSearch({ ...search, action: actions.length === 0 ? undefined : actions.join(',') });
  };
  return (
    <div className={style.areas}>
      <span className={style.label} aria-hidden>
        {say.what}
      </span>
      <Menu
        label={say.what}
        selectionMode="multiple"
        selectedKeys={selected}
        onSelectionChange={choose}
        trigger={
          <Button aria-label={`${say.what}: ${name}`}>
            <span className={style.areaNames}>{name}</span>
            <ChevronsUpDown size={14} aria-hidden />
          </Button>
        }
      >
        {areas.map((area) => (
          <MenuItem key={area} id={area} textValue={say[area]} after={selected.includes(area) ? '✓' : undefined}>
            {say[area]}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}
