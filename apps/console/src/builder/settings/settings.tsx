import type { ReactNode } from 'react';
import style from '../editor/editor.module.css';

/** A part of the settings with a heading. */
export const Settings = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={style.settings}>
    <legend>{title}</legend>
    {children}
  </fieldset>
);
