import type { FormSettingsDetail } from '@sheaf/client';
import { CircleQuestionMark, Columns3, Download, Ellipsis, FileUp, ListFilter, PenLine, Terminal } from 'lucide-react';
import { useEffect, useState, type Ref } from 'react';
import { mayEdit } from '../form/form';
import { Button, IconButton } from '../parts/button';
import { SearchField } from '../parts/fields';
import { Menu, MenuItem, MenuSection } from '../parts/menu';
import { toast } from '../parts/toasts';
import { useFormats } from '../words/use-formats';
import { useWords } from '../words/use-words';
import { curlFor } from './curl';
import { SearchHelp } from './search-help';
import { fieldsOf } from './fields';
import { factTitle, type Target } from './filters';
import style from './list.module.css';
import { usePageAddress } from './page-search';
import type { useList } from './use-list';
import type { ActiveView } from './use-active-view';
import type { Views } from './views-data';
import { ViewsMenu } from './views-menu';

interface ToolbarProps {
  form: FormSettingsDetail;
  list: ReturnType<typeof useList>;
  views: Views;
  active: ActiveView;
  inputRef: Ref<HTMLInputElement>;
  /** The fault of the search. */
  fault: string | undefined;
  onFilter: (target: Target) => void;
  onOpen: (what: 'columns' | 'export' | 'enter' | 'import') => void;
}

/** Above the list: search, filters, and what can be done with the list as a whole. */
export function Toolbar({ form, list, views, active, inputRef, fault, onFilter, onOpen }: ToolbarProps) {
  const say = useWords('submissions');
  const { moreActions, copied, copyFailed } = useWords('everywhere').parts;
  const copyCurl = () => {
    if (!('clipboard' in navigator)) return toast({ text: copyFailed });
    navigator.clipboard.writeText(curlFor(location.origin, form.id, list.query)).then(
      () => toast({ text: copied }),
      () => toast({ text: copyFailed }),
    );
  };
  return (
    <div className={style.toolbar}>
      {form.searchable !== false && <Search inputRef={inputRef} fault={fault} />}
      <FilterMenu list={list} onFilter={onFilter} />
      <ViewsMenu form={form} views={views} current={active.view} layout={active.layout} />
      <IconButton icon={Columns3} label={say.columns} onPress={() => onOpen('columns')} />
      <Menu label={moreActions} trigger={<IconButton icon={Ellipsis} label={moreActions} />}>
        {mayEdit(form) && (
          <MenuItem icon={PenLine} onAction={() => onOpen('enter')}>
            {say.enterSubmission}
          </MenuItem>
        )}
        <MenuItem icon={Terminal} onAction={copyCurl}>
          {say.copyAsCurl}
        </MenuItem>
      </Menu>
      <span className={style.grows} />
      <Count list={list} />
      {mayEdit(form) && (
        <Button icon={FileUp} onPress={() => onOpen('import')}>
          {say.import}
        </Button>
      )}
      <Button icon={Download} onPress={() => onOpen('export')}>
        {say.export}
      </Button>
    </div>
  );
}

const typingMs = 350;

/** Searches once the person pauses. Each search replaces the one before in the history, so that Back does not retype it letter by letter. */
function Search({ inputRef, fault }: Pick<ToolbarProps, 'inputRef' | 'fault'>) {
  const say = useWords('submissions');
  const { search, go } = usePageAddress();
  const [isHelping, setHelp] = useState(false);
  const sought = search.q ?? '';
  const [typed, setTyped] = useState({ text: sought, of: sought });
  // The address has changed otherwise, as by Back.
  const text = typed.of === sought ? typed.text : sought;
  const seek = (q: string) => go((before) => ({ ...before, q }), { replace: sought !== '' && q !== '' });
  useEffect(() => {
    if (text === sought) return;
    const timer = setTimeout(() => seek(text), typingMs);
    return () => clearTimeout(timer);
  });
  return (
    <div className={style.search}>
      <div className={style.searchRow}>
        <SearchField
          label={say.search}
          value={text}
          onChange={(next) => setTyped({ text: next, of: sought })}
          onSubmit={(q) => seek(q)}
          inputRef={inputRef}
        />
        <IconButton icon={CircleQuestionMark} label={say.searchHelp} onPress={() => setHelp(true)} />
      </div>
      {isHelping && <SearchHelp onClose={() => setHelp(false)} />}
      {fault !== undefined && (
        <p role="alert" className={style.fault}>
          {fault}
        </p>
      )}
    </div>
  );
}

const ownFacts = ['version', 'language', 'files', 'area', 'match'] as const;

function FilterMenu({ list, onFilter }: Pick<ToolbarProps, 'list' | 'onFilter'>) {
  const say = useWords('submissions');
  return (
    <Menu
      label={say.filter}
      trigger={
        <Button look="quiet" icon={ListFilter}>
          {say.filter}
        </Button>
      }
    >
      <MenuSection title={say.submission}>
        <MenuItem onAction={() => onFilter('status')}>{say.column_status}</MenuItem>
        <MenuItem onAction={() => onFilter('assignee')}>{say.column_assignee}</MenuItem>
        <MenuItem onAction={() => onFilter('received')}>{say.column_received}</MenuItem>
        <MenuItem onAction={() => onFilter('changed')}>{say.changed}</MenuItem>
        {ownFacts.map((fact) => (
          <MenuItem key={fact} onAction={() => onFilter(fact)}>
            {factTitle(fact, say)}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSection title={say.answers}>
        {fieldsOf(list.fields ?? []).map((field) => (
          <MenuItem key={field.key} textValue={field.label} onAction={() => onFilter(field)}>
            <span dir="auto">{field.label}</span>
          </MenuItem>
        ))}
      </MenuSection>
    </Menu>
  );
}

/** How many there are, as far as that is known without counting them. */
function Count({ list: { rows, total, atLeast, isWaiting, error } }: Pick<ToolbarProps, 'list'>) {
  const say = useWords('submissions');
  const formats = useFormats();
  if ((isWaiting && rows.length === 0) || error) return null;
  return (
    <span className={style.count} role="status">
      {total === undefined ? say.atLeastCount(formats.number(atLeast)) : say.count(total, formats.number(total))}
    </span>
  );
}
