import type { ReactNode } from 'react';
import { classes } from './classes';
import style from './page.module.css';

/** The content of a page. `isNarrow` for texts and forms; tables take the whole width. */
export const Page = ({ isNarrow, children }: { isNarrow?: boolean; children: ReactNode }) => (
  <div className={classes(style.page, isNarrow && style.narrow)}>{children}</div>
);

/** The heading of a page or of a part of it, with what can be done there. */
export function PageHead({ title, help, actions, level = 1 }: { title: string; help?: ReactNode; actions?: ReactNode; level?: 1 | 2 | 3 }) {
  const Heading = `h${level}` as const;
  return (
    <div className={style.head}>
      <div className={style.headText}>
        <Heading>{title}</Heading>
        {help !== undefined && <p className="muted">{help}</p>}
      </div>
      {actions !== undefined && <div className={style.actions}>{actions}</div>}
    </div>
  );
}

/** A part of a page with a heading of its own. */
export const Section = ({
  title,
  help,
  actions,
  children,
}: {
  title: string;
  help?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) => (
  <section className={style.section} aria-label={title}>
    <PageHead level={2} title={title} help={help} actions={actions} />
    {children}
  </section>
);

/** A table that scrolls sideways where it does not fit. Give its rows `<th scope="col">` and `<td>`. */
export const Table = ({ label, children }: { label: string; children: ReactNode }) => (
  // A box that scrolls must be reachable by keyboard. It is no landmark: the section around it often has the same name.
  <div className={style.scroller} role="group" aria-label={label} tabIndex={0}>
    <table role="table" className={style.table} aria-label={label}>
      {children}
    </table>
  </div>
);

/** Text as a program sees it. */
export const Code = ({ label, children }: { label?: string; children: string }) => (
  <pre className={style.code} tabIndex={0} aria-label={label} role={label === undefined ? undefined : 'region'}>
    <code>{children}</code>
  </pre>
);
