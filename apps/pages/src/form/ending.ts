import { FormEnding } from '@sheaf/contracts';
import type { OpenForm } from './known-forms';

const Ending = FormEnding.pick({ title: true, text: true, redirect_url: true, translations: true });

/** How the form ended for a submission: `submissions` decides, by the version that was answered. */
export const readEnding = (bytes: Buffer | undefined) => bytes && Ending.parse(JSON.parse(bytes.toString()));

/** Whether the form ended with one of its endings, also if it is not told any more. An earlier release always tells it. */
export const hadEnding = ({ ending, has_ending }: { ending?: Buffer; has_ending?: boolean }): boolean => has_ending ?? ending !== undefined;

/** The page to which a respondent gets once nothing is due. An ending without one leads nowhere, wherever the thank-you would. */
export const onwardFrom = ({ settings }: OpenForm, ending: ReturnType<typeof readEnding>): string | undefined =>
  (ending ?? settings.thank_you)?.redirect_url;
