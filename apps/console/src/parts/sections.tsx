import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components/Link';
import style from './sections.module.css';

export interface SectionLink {
  section: string;
  label: string;
  icon: LucideIcon;
}

export interface SectionGroup {
  title: string;
  links: readonly SectionLink[];
}

/** A page in sections, with its own navigation at the side. `base` is the page's address, to which the name of a section is added. */
export function Sections({
  title,
  base,
  current,
  groups,
  children,
}: {
  title: string;
  base: string;
  current: string;
  groups: readonly SectionGroup[];
  children: ReactNode;
}) {
  return (
    <div className={style.frame}>
      <div className={style.side}>
        <h1>{title}</h1>
        <nav aria-label={title} className={style.groups}>
          {groups.map((group) => (
            <div key={group.title} className={style.group}>
              <h2 className={style.groupTitle}>{group.title}</h2>
              <ul className={style.links}>
                {group.links.map(({ section, label, icon: Icon }) => (
                  <li key={section}>
                    <Link href={`${base}/${section}`} className={style.link ?? ''} {...(section === current && { 'aria-current': 'page' })}>
                      <Icon size={16} aria-hidden />
                      {label}
                    </Link>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </div>
      <div className={style.content}>{children}</div>
    </div>
  );
}
