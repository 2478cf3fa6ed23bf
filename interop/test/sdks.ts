/** The official SDKs, pointed at a server on this machine: nothing from the environment, and no second try. */
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import OpenAI from 'openai';
import { dummyKey } from './answers.ts';

export function anthropicAt(url: string, fetchWith?: typeof fetch): Anthropic {
  return new Anthropic({
    apiKey: dummyKey,
    authToken: null,
    webhookKey: null,
    baseURL: url,
    maxRetries: 0,
    logLevel: 'off',
    ...(fetchWith && { fetch: fetchWith }),
  });
}

export function openaiAt(url: string, fetchWith?: typeof fetch): OpenAI {
  return new OpenAI({
    apiKey: dummyKey,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: `${url}/v1`,
    maxRetries: 0,
    logLevel: 'off',
    ...(fetchWith && { fetch: fetchWith }),
  });
}

/** Without options for it, this one never tries twice. */
export function googleAt(url: string, fetchWith?: typeof fetch): GoogleGenAI {
  return new GoogleGenAI({
    apiKey: dummyKey,
    vertexai: false,
    httpOptions: { baseUrl: url, apiVersion: 'v1beta', ...(fetchWith && { fetch: fetchWith }) },
  });
}
