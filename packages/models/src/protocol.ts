/** A wire protocol: how a request is written, and what the data of each server-sent event means. */
import type { ModelRequest } from '@tau/core';
import type { Assembler } from './assembler.ts';
import type { WireRequest } from './transport.ts';

export interface Protocol {
  encode(request: ModelRequest, key: string | undefined): WireRequest;
  /** A decoder per response; it is fed the data of one event at a time and speaks to the assembler. */
  decoder(assembler: Assembler, provider: string): (data: string) => void;
}
