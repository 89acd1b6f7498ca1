import { getPublicForm, getWebhookKeySet, IdempotencyKey, publicSettingNames, submitForm } from '@sheaf/contracts';
import { forSite } from '../origins/cross-origin';
import { RawJson } from '../http/json';
import { route, type Route } from '../route';
import { accessHeaders, withAccess } from './access-code';
import { rowOf } from './derived';
import { idempotencyKey } from './idempotency-key';
import { param, type Services } from './services';

/** Routes for respondents: they need no credential and serve only published forms. */
export const respondents = ({ submissions, deliveries }: Services): Route[] => [
  route({
    ...rowOf(getPublicForm),
    headers: accessHeaders,
    handle: async ({ call, params, request, response }) => {
      // v1 knows versions by their numbers. A program has the code itself, and needs no pass.
      const {
        settings,
        version_id: _,
        pass: _pass,
        full_options: fullOptions,
        ...form
      } = await forSite(request, response, (origin) =>
        submissions.getIntakeForm(withAccess(call, request), { form: param(params, 'form'), origin, view: request.method === 'GET' }),
      );
      return {
        ...form,
        ...publicSettings(settings),
        full_options: fullOptions.length > 0 ? fullOptions : undefined,
        fields: RawJson.ofItems(form.fields),
        payment: form.payment ?? undefined,
      };
    },
  }),
  route({
    ...rowOf(submitForm),
    headers: { 'Idempotency-Key': IdempotencyKey, ...accessHeaders },
    handle: async ({ call, params, body, request, response }) => {
      const { ending, ...receipt } = await forSite(request, response, (origin) =>
        submissions.submit(withAccess(call, request), {
          form: param(params, 'form'),
          data: Buffer.from(JSON.stringify(body.data)),
          idempotency_key: idempotencyKey(request.headers['idempotency-key']),
          hp: body.hp,
          started: body.started,
          proof: body.proof,
          language: body.language,
          confirmed: body.confirmed,
          origin,
        }),
      );
      return ending === undefined ? receipt : { ...receipt, ending: RawJson.of(ending) };
    },
  }),

  // For receivers of deliveries. Caching for an hour is safe, because deliveries carry both signatures for a day after a rotation.
  route({
    ...rowOf(getWebhookKeySet),
    cacheSeconds: 3_600,
    handle: async ({ call }) => {
      const { keys } = await deliveries.listWebhookKeys(call, {});
      return { keys: keys.map(({ kid, x }) => ({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid, x })) };
    },
  }),
];

/** The settings for respondents. A form has others as well, such as the sites that may use it. */
function publicSettings(json: Buffer): Record<string, unknown> {
  // Most forms have no settings, and an earlier release of `submissions` sends none.
  if (json.length <= 2) return {};
  const settings = JSON.parse(json.toString()) as Record<string, unknown>;
  return Object.fromEntries(publicSettingNames.map((name) => [name, settings[name]]));
}
