#!/usr/bin/env bash
echo cargo
