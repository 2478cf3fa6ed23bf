/** The providers tau ships with: those of the catalogue, and the servers people run on their own machine. */
import { catalogueProviders } from '../catalogue/catalogue.ts';
import type { Provider } from './provider.ts';

export const builtinProviders: readonly Provider[] = [
  ...catalogueProviders,
  local('ollama', 'Ollama', 'http://127.0.0.1:11434/v1'),
  local('lmstudio', 'LM Studio', 'http://127.0.0.1:1234/v1'),
  local('llamacpp', 'llama.cpp', 'http://127.0.0.1:8080/v1'),
];

function local(name: string, label: string, baseUrl: string): Provider {
  return { name, label, api: 'openai-completions', baseUrl, local: true, models: [], open: true };
}
