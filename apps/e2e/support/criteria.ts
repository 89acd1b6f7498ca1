import type { Page } from 'playwright-core';

// WCAG criteria that axe cannot check. The scripts run in the page, so they are texts: nothing here has the types of a browser.

/** 1.4.10: what makes the page wider than the window. */
export const tooWide = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { left, right } = element.getBoundingClientRect();
        return right > clientWidth + 1 || left < -1;
      })
      .map((element) => element.outerHTML.slice(0, 200));
  })()`);

/** 1.4.12: what cuts off its text, or makes the page too wide, when a reader spaces the text out. The page stays spaced out. */
export async function cutOffWhenSpaced(page: Page): Promise<string[]> {
  const cutOff = await page.evaluate<string[]>(`(() => {
    for (const element of document.querySelectorAll('body, body *')) {
      for (const [name, value] of [['line-height', '1.5'], ['letter-spacing', '0.12em'], ['word-spacing', '0.16em']])
        element.style.setProperty(name, value, 'important');
      if (element.localName === 'p') element.style.setProperty('margin-block-end', '2em', 'important');
    }
    return [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { overflowX, overflowY, clip, clipPath, position } = getComputedStyle(element);
        // Meant for screen readers only.
        if (position === 'absolute' && (clip !== 'auto' || clipPath !== 'none')) return false;
        const isText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '');
        if (!isText || element.localName === 'option' || element.localName === 'textarea') return false;
        const isTaller = element.scrollHeight > element.clientHeight + 2 && overflowY !== 'visible';
        const isWider = element.scrollWidth > element.clientWidth + 2 && overflowX !== 'visible';
        return element.clientHeight > 0 && (isTaller || isWider);
      })
      .map((element) => element.outerHTML.slice(0, 200));
  })()`);
  return [...cutOff, ...(await tooWide(page))];
}

/** A stop on the way through the page with Tab. */
export interface Stop {
  element: string;
  /** Whether something else lies over all of it (2.4.11). */
  isObscured: boolean;
  /** Whether the focus can be seen (2.4.7), at the control or at its label. */
  isMarked: boolean;
}

const maxStops = 200;

/** Goes through the page with Tab until the focus leaves it. */
export async function tabThrough(page: Page): Promise<Stop[]> {
  // Tab goes on from where the focus was last.
  await page.evaluate(
    'document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute("tabindex"); window.scrollTo(0, 0)',
  );
  const stops: Stop[] = [];
  while (stops.length < maxStops) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate<(Stop & { isFirst: boolean }) | null>(`(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const isFirst = element.dataset.visited === undefined;
      element.dataset.visited = '';
      const { left, top, width, height } = element.getBoundingClientRect();
      const isOn = (x, y) => {
        const found = document.elementFromPoint(x, y);
        return found !== null && (element.contains(found) || found.contains(element) || [...(element.labels ?? [])].some((label) => label.contains(found)));
      };
      const points = [0.5, 0.1, 0.9].flatMap((x) => [0.5, 0.1, 0.9].map((y) => [left + width * x, top + height * y]));
      const isOutlined = (each) => {
        const { outlineStyle, outlineWidth } = getComputedStyle(each);
        return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
      };
      return {
        element: element.outerHTML.slice(0, 160),
        isObscured: !points.some(([x, y]) => isOn(x, y)),
        isMarked: [element, ...(element.labels ?? [])].some(isOutlined),
        isFirst,
      };
    })()`);
    if (stop?.isFirst !== true) break;
    stops.push({ element: stop.element, isObscured: stop.isObscured, isMarked: stop.isMarked });
  }
  return stops;
}

/** 3.2.6: where the page offers help, as the elements around the link and what it comes after. */
export const placeOfHelp = (page: Page, address: string): Promise<string> =>
  page.evaluate<string>(`(() => {
    const link = document.querySelector('a[href="mailto:${address}"]');
    if (!link) return 'nowhere';
    const around = [];
    for (let element = link; element !== document.body; element = element.parentElement) around.unshift(element.localName);
    const main = document.querySelector('main');
    const order = main.contains(link) ? 'in main' : main.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING ? 'after main' : 'before main';
    return around.join(' > ') + ', ' + order;
  })()`);
