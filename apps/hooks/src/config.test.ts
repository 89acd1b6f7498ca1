import { Config } from './config';

const sources = (text: string | undefined) => Config.shape.HOOK_SOURCES.safeParse(text);

it('takes any names for the platforms but the one that stands for the application itself', () => {
  expect(sources(undefined).data).toEqual(['zapier', 'make']);
  expect(sources('n8n,activepieces').data).toEqual(['n8n', 'activepieces']);
  expect(sources('n8n,application').error?.issues[0]?.message).toBe('must not name application, which stands for what is made in the application');
});
