#!/bin/sh
# Prints a temperature in Celsius, given one in Fahrenheit.
echo $((($1 - 32) * 5 / 8))
