/** The texts of what a form has, with samples. */
export const formTexts = {
  title: ["The form's title.", 'Site visit'],
  slug: ["The last part of the form's public URL.", 'site-visit'],
  favorite: ["Whether the form is one of the caller's favorites.", false],
  publish_mode: ['`draft`: changes go live on publish. `auto`: saving a valid draft publishes it.', 'draft'],
  folder_id: ["The form's folder; absent or null if the form is unfiled.", '019a1e5c-7a00-7c3e-9f5b-2f6d8a1b4c02'],
  opens_at: ['The time from which the form accepts submissions.', '2026-03-09T08:00:00.000Z'],
  closes_at: ['The time until which the form accepts submissions.', '2026-03-31T22:00:00.000Z'],
  max_submissions: ['The number of submissions after which the form closes. With 0 it is closed; without a value there is no limit.', 500],
  closed_message: ['The text that respondents see while the form is closed.', 'Back on Monday.'],
  timezone: ['The IANA time zone for opening and closing times without an offset.', 'Europe/Vienna'],
} as const;
