import { useWords } from '../words/use-words';
import { Select } from './fields';

/** How many days a key works; 'never' if it does not expire. */
export type Expiry = 'never' | '30' | '90' | '365';
const choices: readonly Expiry[] = ['30', '90', '365', 'never'];

/** The time at which a key expires that is made now. */
export const expiryTime = (expiry: Expiry, now = Date.now()): { expires_at?: string } =>
  expiry === 'never' ? {} : { expires_at: new Date(now + Number(expiry) * 86_400_000).toISOString() };

export function ExpirySelect({ value, onChange }: { value: Expiry; onChange: (value: Expiry) => void }) {
  const say = useWords('everywhere').parts;
  const label = (expiry: Expiry) => (expiry === 'never' ? say.expiresNever : say.expiresIn(Number(expiry)));
  return (
    <Select label={say.expiry} value={value} onChange={onChange} options={choices.map((each) => ({ value: each, label: label(each) }))} />
  );
}
