import { render } from './render';
import { check, message, question, questions, receipt, saved } from './sample-views';

describe('A page of a form', () => {
  it.each([
    ['questions', questions()],
    ['check', check()],
    ['receipt', receipt()],
    ['saved', saved()],
    ['message', message({ name: 'not_found' }, { form: undefined })],
  ])('is a whole document of HTML with one first-level heading (%s)', (_, view) => {
    const html = render(view);
    expect(html).toMatch(/^<!doctype html><html lang="en" dir="ltr"><head><meta charSet="utf-8"\/>/);
    expect(html.match(/<h1>/g)).toHaveLength(1);
    expect(html).toMatch(/<\/html>$/);
  });

  it('has the question with its control in a form that sends files', () => {
    const html = render(question({ type: 'short_text', label: 'Your name' }));
    expect(html).toMatch(/<form [^>]*action="\/f\/site-visit" encType="multipart\/form-data" method="post">/);
    expect(html).toContain('<label class="label" for="f-answer"><bdi dir="ltr">Your name</bdi>');
    expect(html).toContain('name="a.answer"');
  });
});
