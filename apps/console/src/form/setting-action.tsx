import type { ReactNode } from 'react';
import style from './settings.module.css';

/** An action, with what it does and its button. */
export const SettingAction = ({ title, help, children }: { title: string; help: string; children: ReactNode }) => (
  <div className={style.action}>
    <div className={style.actionText}>
      <h3>{title}</h3>
      <p className="muted">{help}</p>
    </div>
    {children}
  </div>
);
