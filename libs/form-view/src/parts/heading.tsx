import type { ReactNode } from 'react';
import { useReading } from '../reading';
import type { Frame } from '../view';
import { localForm } from '../words/localized';
import { Written } from './text';

/** The heading of a page, under the title of the form that the page belongs to. */
export function Heading({ form, title, children }: { form: Frame['form']; title: ReactNode; children?: ReactNode }) {
  const { language, authorLanguage } = useReading();
  return (
    <div className="heading">
      {form && (
        <p className="caption">
          <Written text={localForm(form, language, authorLanguage).title} />
        </p>
      )}
      <h1>{title}</h1>
      {children}
    </div>
  );
}
