import type { ReactNode } from 'react';
import { Table } from './page';
import style from './rows.module.css';

export interface Column<Row> {
  head: string;
  cell: (row: Row) => ReactNode;
  /** `name`: its cells are the heads of their rows. `actions`: buttons at the end, with a head for screen readers only. */
  kind?: 'name' | 'actions';
}

interface RowsProps<Row> {
  label: string;
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** Whether a row has its key as its id, for those who look for it by that. */
  hasIds?: boolean;
  /** Those that are false are left out. */
  columns: readonly (Column<Row> | false)[];
}

/** A table with a row for each of a list. */
export function Rows<Row>({ label, rows, keyOf, hasIds = false, columns }: RowsProps<Row>) {
  const shown = columns.filter((column) => column !== false);
  return (
    <Table label={label}>
      <thead>
        <tr>
          {shown.map(({ head, kind }, index) => (
            <th key={index} scope="col">
              {kind === 'actions' ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} id={hasIds ? String(keyOf(row)) : undefined}>
            {shown.map(({ cell, kind }, index) => cellOf(index, kind, cell(row)))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function cellOf(index: number, kind: Column<never>['kind'], content: ReactNode) {
  if (kind === 'name')
    return (
      <th key={index} scope="row">
        {content}
      </th>
    );
  return (
    <td key={index} className={kind === 'actions' ? style.actions : undefined}>
      {content}
    </td>
  );
}

/** The person or thing that a row is about, with badges beside the name and other facts below. */
export const Name = ({ name, badges, children }: { name: string; badges?: ReactNode; children?: ReactNode }) => (
  <span className={style.who}>
    <span className={style.badges}>
      <span className={style.strong} dir="auto">
        {name}
      </span>
      {badges}
    </span>
    {children}
  </span>
);

/** A person by name, and by address where that says more. */
export const Person = ({ name, email, badges }: { name: string; email: string; badges?: ReactNode }) => (
  <Name name={name} badges={badges}>
    {email !== name && (
      <span className="muted" dir="auto">
        {email}
      </span>
    )}
  </Name>
);

/** Opens the thing that a row is about. */
export const RowButton = ({ onClick, children }: { onClick: () => void; children: ReactNode }) => (
  <button type="button" className={style.button} onClick={onClick}>
    {children}
  </button>
);
