/** The parts of Responses events that are read. Servers differ in what they leave out, so nothing but the type is sure. */

export interface WirePart {
  type?: string;
  text?: string;
  refusal?: string;
}

export interface WireItem {
  type: string;
  id?: string;
  call_id?: string;
  name?: string;
  arguments?: string;
  phase?: string | null;
  content?: WirePart[] | null;
  summary?: WirePart[] | null;
  encrypted_content?: string | null;
}

export interface WireUsage {
  input_tokens?: number;
  output_tokens?: number;
  input_tokens_details?: { cached_tokens?: number; cache_write_tokens?: number } | null;
}

export interface WireResponse {
  id?: string;
  model?: string;
  status?: string;
  output?: WireItem[] | null;
  usage?: WireUsage | null;
  error?: unknown;
  incomplete_details?: { reason?: string } | null;
}

export interface WireEvent {
  type: string;
  sequence_number?: number;
  output_index?: number;
  item_id?: string;
  content_index?: number;
  summary_index?: number;
  delta?: string;
  text?: string;
  refusal?: string;
  arguments?: string;
  part?: WirePart;
  item?: WireItem;
  response?: WireResponse;
  error?: unknown;
  code?: string | null;
  message?: string;
}
