import { FormSettingsDetail, FormSettingsRequest } from '@sheaf/contracts';
import { route, type Route } from '../../route';
import { param, type Services } from '../services';

/** The settings of forms that v1 does not have. */
export const formSettings = ({ forms }: Services): Route[] => [
  route({
    method: 'get',
    path: '/app/v1/forms/:id',
    summary: 'Get the settings of a form',
    access: { scope: 'forms:read' },
    status: 200,
    reply: FormSettingsDetail,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => detail(await forms.getFormSettings(call, { id: param(params, 'id') })),
  }),
  route({
    method: 'patch',
    path: '/app/v1/forms/:id',
    summary: 'Update the settings of a form',
    access: { scope: 'forms:write' },
    body: FormSettingsRequest,
    status: 200,
    reply: FormSettingsDetail,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, body }) =>
      detail(await forms.updateFormSettings(call, { id: param(params, 'id'), patch: Buffer.from(JSON.stringify(body)) })),
  }),
];

const detail = ({ id, settings }: { id: string; settings: Buffer }) => ({ id, ...(JSON.parse(settings.toString()) as object) });
