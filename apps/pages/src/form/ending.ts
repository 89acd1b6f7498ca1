import { FormEnding } from '@sheaf/contracts';
import type { OpenForm } from './known-forms';

const Ending = FormEnding.pick({ title: true, text: true, redirect_url: true, translations: true });

/** How the form ended for a submission: `submissions` decides, by the version that was answered. */
export const readEnding = (bytes: Buffer | undefined) => bytes && Ending.parse(JSON.parse(bytes.toString()));

/** The page to which a respondent gets once nothing is due. An ending without one leads nowhere, wherever the thank-you would. */
export const onwardFrom = ({ settings }: OpenForm, ending: ReturnType<typeof readEnding>): string | undefined =>
  (ending ?? settings.thank_you)?.redirect_url;
