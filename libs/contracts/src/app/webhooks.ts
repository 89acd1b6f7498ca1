import { z } from 'zod';
import { hookEvents } from '../events';
import { instant, listOf, oneOf, text, truth } from '../shapes';
import { HookSubscription } from '../v1/hooks';
import { Actor } from './actor';

/** The `source` of what was made in the application; everything else was subscribed by the platform that it names. */
export const applicationSource = 'application';

const shownUrl = z.string().meta({ description: 'Where deliveries go. Viewers get the origin only (`https://hooks.example.org`), except of their own subscriptions, as an address may hold a secret.' });

export const Webhook = HookSubscription.extend({ url: shownUrl, created_at: instant(), created_by: Actor });

export const WebhookList = listOf(Webhook);

const event = () => oneOf(hookEvents);
const targetUrl = () => text(1, 2_048);

export const WebhookRequest = z.object({ event: event(), target_url: targetUrl() });
export const WebhookUpdateRequest = z.object({ active: truth().optional(), event: event().optional(), target_url: targetUrl().optional() });
