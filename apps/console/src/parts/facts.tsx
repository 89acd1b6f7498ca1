import type { ReactNode } from 'react';
import style from './facts.module.css';

/** Facts of one thing: the name of each beside it, or above it where there is little space. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={style.facts}>{children}</dl>;
