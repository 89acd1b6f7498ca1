import { band, stalks } from './drawing';

/** Our mark, beside our name. */
export const Mark = () => (
  <svg
    className="mark"
    viewBox="0 0 24 24"
    width="20"
    height="20"
    fill="none"
    stroke="currentColor"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d={stalks} strokeWidth="1.8" />
    <path d={band} strokeWidth="2.6" />
  </svg>
);
