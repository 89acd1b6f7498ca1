import type { SubmissionDetail } from '@sheaf/client';
import { useCallback, useRef, useState } from 'react';

export interface Selection {
  ids: ReadonlySet<string>;
  /** Whether every row that was loaded is selected. */
  isAll: boolean;
  has: (id: string) => boolean;
  /** Selects or leaves a row; with `isRange`, all from the last one to this. */
  select: (id: string, index: number, isRange: boolean) => void;
  /** Selects all rows that were loaded, or none. */
  selectAll: (isSelected: boolean) => void;
}

/** The rows that are selected. `key` is that of the list: another list begins without a selection. */
export function useSelection(key: string, rows: readonly SubmissionDetail[]): Selection {
  const [chosen, setChosen] = useState<{ key: string; ids: ReadonlySet<string> }>({ key, ids: new Set() });
  const last = useRef(0);
  const current = useRef(rows);
  current.current = rows;
  const ids = chosen.key === key ? chosen.ids : none;
  const select = useCallback(
    (id: string, index: number, isRange: boolean) => {
      const range = current.current.slice(Math.min(last.current, index), Math.max(last.current, index) + 1);
      last.current = index;
      setChosen((before) => {
        const next = new Set(before.key === key ? before.ids : none);
        const isSelected = !next.has(id);
        for (const each of isRange ? range.map((row) => row.id) : [id]) {
          if (isSelected) next.add(each);
          else next.delete(each);
        }
        return { key, ids: next };
      });
    },
    [key],
  );
  return {
    ids,
    isAll: rows.length > 0 && rows.every(({ id }) => ids.has(id)),
    has: (id) => ids.has(id),
    select,
    selectAll: (isSelected) => setChosen({ key, ids: new Set(isSelected ? rows.map(({ id }) => id) : []) }),
  };
}

const none: ReadonlySet<string> = new Set();
