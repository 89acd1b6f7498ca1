import type { Webhook } from '@sheaf/client';
import { RadioGroup } from '../parts/fields';
import { useWords } from '../words/use-words';

/** The options of a webhook that are a choice of one. */
export type Options = Pick<Webhook, 'payload' | 'retry' | 'signature'>;

/** Those of the webhook, or of a new one. */
export const optionsOf = (webhook: Webhook | undefined): Options => ({
  payload: webhook?.payload ?? 'contract',
  retry: webhook?.retry ?? 'standard',
  signature: webhook?.signature ?? 'v1a',
});

/** The word for a choice; with `Help`, the word that explains it. */
type Word = 'contract' | 'named' | 'retryStandard' | 'retryDay' | 'retryThreeDays' | 'signedByKey' | 'signedBySecret';

const choices: { [Name in keyof Options]: Record<Options[Name], Word> } = {
  payload: { contract: 'contract', named: 'named' },
  retry: { standard: 'retryStandard', day: 'retryDay', three_days: 'retryThreeDays' },
  signature: { v1a: 'signedByKey', v1: 'signedBySecret' },
};

export function OptionFields({ options, onChange }: { options: Options; onChange: (options: Options) => void }) {
  const say = useWords('webhooks');
  return Object.entries(choices).map(([name, words]) => (
    <RadioGroup
      key={name}
      label={say[name as keyof Options]}
      value={options[name as keyof Options] as string}
      onChange={(value) => onChange({ ...options, [name]: value })}
      options={Object.entries(words).map(([value, word]) => ({ value, label: say[word], help: say[`${word}Help`] }))}
    />
  ));
}
