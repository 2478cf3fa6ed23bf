/** A wire protocol: how a request is written, and what the data of each server-sent event means. */
import type { ModelRequest } from '@tau/core';
import type { Assembler } from './assembler.ts';
import type { WireRequest } from './transport.ts';

export interface Protocol {
  encode(request: ModelRequest, key: string | undefined): WireRequest;
  /** A decoder per response; it speaks to the assembler. */
  decoder(assembler: Assembler, request: ModelRequest): Decoder;
  /** What is wrong with the switches of a model, a sentence each. */
  compatProblems(compat: unknown): string[];
}

export interface Decoder {
  /** The data of one event. A throw means that it is not this protocol. */
  event(data: string): void;
  /** The stream is over. A protocol that needs no closing event may call the message complete. */
  close?(): void;
}
