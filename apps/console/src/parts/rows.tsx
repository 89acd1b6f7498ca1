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

/** A table with a row for each of a list: on a phone a card, whose facts have their heads before them. The roles are said, as CSS takes them away there. */
export function Rows<Row>({ label, rows, keyOf, hasIds = false, columns }: RowsProps<Row>) {
  const shown = columns.filter((column) => column !== false);
  return (
    <Table label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {shown.map(({ head, kind }, index) => (
            <th key={index} role="columnheader" scope="col">
              {kind === 'actions' ? <span className="visually-hidden">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" id={hasIds ? String(keyOf(row)) : undefined}>
            {shown.map(({ head, cell, kind }, index) => cellOf(index, head, kind, cell(row)))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function cellOf(index: number, head: string, kind: Column<never>['kind'], content: ReactNode) {
  if (kind === 'name')
    return (
      <th key={index} role="rowheader" scope="row">
        {content}
      </th>
    );
  return (
    <td key={index} role="cell" className={kind === 'actions' ? style.actions : undefined} data-head={kind ? undefined : head}>
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
