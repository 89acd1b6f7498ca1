import { band, stalks } from '@sheaf/form-view';

/** Our mark: three stalks tied by a band. */
export const Mark = ({ size = 24 }: { size?: number }) => (
  <svg viewBox="0 0 24 24" width={size} height={size} fill="none" stroke="var(--accent)" strokeLinecap="round" aria-hidden>
    <path d={stalks} strokeWidth={1.8} />
    <path d={band} strokeWidth={2.6} />
  </svg>
);
