import { Config } from './config';

const sources = (text: string | undefined) => Config.shape.HOOK_SOURCES.safeParse(text);

it('accepts any platform names except the one reserved for the application', () => {
  expect(sources(undefined).data).toEqual(['zapier', 'make']);
  expect(sources('n8n,activepieces').data).toEqual(['n8n', 'activepieces']);
  expect(sources('n8n,application').error?.issues[0]?.message).toBe(
    'must not name application, which is reserved for webhooks created in the application',
  );
});
