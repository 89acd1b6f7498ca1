import { ArrowDownWideNarrow, Check, Filter } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../parts/button';
import { Menu, MenuItem } from '../parts/menu';
import { SearchField } from '../parts/search-field';
import { useWords } from '../words/use-words';
import style from './forms-page.module.css';
import { sorts, statuses, type Status } from './place';
import type { PlaceAndWay } from './use-place';

/** Narrows and orders the list. Everything is in the address. */
export function Toolbar({ place, go }: PlaceAndWay) {
  const say = useWords('forms');
  const hasStatus = place.view !== 'archived' && place.view !== 'trash';
  return (
    <div className={style.toolbar} role="search">
      <SearchByTitle place={place} go={go} />
      {hasStatus && <StatusMenu place={place} go={go} />}
      <Menu
        label={say.sort}
        selectionMode="single"
        selectedKeys={[place.sort]}
        trigger={
          <Button icon={ArrowDownWideNarrow} aria-label={`${say.sort}: ${say.sorts[place.sort]}`}>
            {say.sorts[place.sort]}
          </Button>
        }
      >
        {sorts.map((sort) => (
          <MenuItem key={sort} id={sort} onAction={() => go({ sort })} after={place.sort === sort && <Check size={14} aria-hidden />}>
            {say.sorts[sort]}
          </MenuItem>
        ))}
      </Menu>
    </div>
  );
}

function StatusMenu({ place, go }: PlaceAndWay) {
  const say = useWords('forms');
  const current = place.status === undefined ? say.anyStatus : say.statuses[place.status];
  const item = (status: Status | undefined, label: string) => (
    <MenuItem
      key={label}
      id={status ?? 'any'}
      onAction={() => go({ status })}
      after={place.status === status && <Check size={14} aria-hidden />}
    >
      {label}
    </MenuItem>
  );
  return (
    <Menu
      label={say.statusColumn}
      selectionMode="single"
      selectedKeys={[place.status ?? 'any']}
      trigger={
        <Button icon={Filter} aria-label={`${say.statusColumn}: ${current}`}>
          {current}
        </Button>
      }
    >
      {[item(undefined, say.anyStatus), ...statuses.map((status) => item(status, say.statuses[status]))]}
    </Menu>
  );
}

/** Goes to the address a moment after the last key, and keeps what is typed until then. */
function SearchByTitle({ place, go }: PlaceAndWay) {
  const say = useWords('forms');
  const [typed, setTyped] = useState<string>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const search = (text: string, delayMs: number) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      go({ q: text.trim() === '' ? undefined : text }, { replace: true });
      setTyped(undefined);
    }, delayMs);
  };
  return (
    <SearchField
      label={say.search}
      value={typed ?? place.q ?? ''}
      onChange={(text) => search(text, 250)}
      onSubmit={(text) => search(text, 0)}
    />
  );
}
