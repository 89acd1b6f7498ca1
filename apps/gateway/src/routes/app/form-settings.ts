import { getFormSettings, updateFormSettings } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { Call } from '@sheaf/rpc';
import { route, type Route } from '../../route';
import { asking, rowOf } from '../derived';
import { param, type Services } from '../services';
import { submissionCounts } from './submission-counts';

const request = asking(getFormSettings);

/** Forms with the settings that v1 does not have. */
export const formSettings = ({ forms, submissions }: Services): Route[] => [
  route({
    ...rowOf(getFormSettings),
    handle: async ({ call, params }) => detail({ submissions }, call, await forms.getFormSettings(call, request({ params }))),
  }),
  route({
    ...rowOf(updateFormSettings),
    handle: async ({ call, params, body }) => {
      const patch = Buffer.from(JSON.stringify(body));
      return detail({ submissions }, call, await forms.updateFormSettings(call, { id: param(params, 'id'), patch }));
    },
  }),
];

type SettingsMessage = Awaited<ReturnType<Services['forms']['getFormSettings']>>;

async function detail(services: Pick<Services, 'submissions'>, call: Call, { id, settings, found }: SettingsMessage) {
  if (!found?.form) throw Problem.internal('forms sent settings without the form');
  const { form, ...more } = found;
  const counts = await submissionCounts(services, call, [id]);
  return { ...form, ...more, ...counts(id), ...(JSON.parse(settings.toString()) as object) };
}
