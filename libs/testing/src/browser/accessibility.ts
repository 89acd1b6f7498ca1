import { readFile } from 'node:fs/promises';
import type { BrowserContext, Frame, Page } from 'playwright-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The part of an axe result that tests show. */
interface Result {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** A tooltip belongs to the control that it describes, wherever it is in the document; axe wants all content to be in landmarks. */
const isTooltipOutside = (id: string, html: string): boolean => id === 'region' && html.includes('role="tooltip"');

/**
 * Waits until nothing moves or fades any more: axe would measure the contrast of a color that is there for a moment only. An animation that
 * never ends, such as a turning wheel, is not waited for.
 */
const isStill = (page: Page | Frame): Promise<void> =>
  page.evaluate<undefined>(`(async () => {
    const ends = (animation) => animation.playState === 'running' && Number.isFinite(animation.effect?.getComputedTiming().endTime ?? Infinity);
    for (;;) {
      // The browser draws a script's change with the next frame; a transition begins then.
      await new Promise(requestAnimationFrame);
      const running = document.getAnimations().filter(ends);
      if (running.length === 0) return;
      await Promise.allSettled(running.map(({ finished }) => finished));
    }
  })()`);

/** Runs axe in a page whose scripts run, or in one of its frames. @returns each broken rule with an element that breaks it */
export async function accessibilityFaults(page: Page | Frame): Promise<string[]> {
  await isStill(page);
  // Given to the page through the protocol, because the page's own policy forbids scripts of others.
  await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate<Result>(
    // Off by default: the size of targets (2.5.8). On by default: requests for style sheets, which the page's policy forbids.
    // Left out: what React Aria says to screen readers for seconds, which may name a control that is gone by then.
    `axe.run({ exclude: [['[data-live-announcer]']] }, { runOnly: { type: 'tag', values: ${JSON.stringify(tags)} }, rules: { 'target-size': { enabled: true } }, resultTypes: ['violations'], preload: false })`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.filter(({ html }) => !isTooltipOutside(id, html)).map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`),
  );
}

/**
 * Shows the same state in a context whose scripts run, because axe hangs where they do not. The page's own scripts are left out: they could
 * change the state.
 */
export async function twinOf(page: Page, context: BrowserContext): Promise<Page> {
  const [address, html] = [page.url(), await page.content()];
  const twin = await context.newPage();
  await twin.route('**/*', (route) => {
    const request = route.request();
    if (request.resourceType() === 'script') return route.abort();
    return request.isNavigationRequest() ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }) : route.continue();
  });
  await twin.goto(address);
  return twin;
}
