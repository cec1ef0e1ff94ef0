/* Each means of the C++ library twice: used as it must be, and with the error that it should have
 * prevented. The two differ in one place. */
#include "scenario.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stop_token>
#include <thread>

using namespace std::chrono_literals;

SHARED int x;

/* Two threads that do the same, one of them later. */
template <class Work> static void twice(Work work) {
  std::thread one(work), two([&] {
    later();
    work();
  });
  one.join();
  two.join();
}

/* ---- threads ------------------------------------------------------------------------ */

static void start_and_join(bool early) {
  std::thread worker([] { x++; });
  if (early) worker.join();
  x++;
  if (!early) worker.join();
}
SCENARIO(twin_thread_joined, CLEAN) {
  start_and_join(true);
}
SCENARIO(twin_thread_late, RACE) {
  start_and_join(false);
}

static void stop_and_count(bool behind) {
  {
    std::jthread worker([](std::stop_token stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
      x++;
    });
    if (!behind) x++; /* may come after the request that the destructor makes */
    worker.request_stop();
    if (!behind) x++;
  }
  if (behind) x++;
}
SCENARIO(twin_jthread_behind, CLEAN) {
  stop_and_count(true);
}
SCENARIO(twin_jthread_beside, RACE) {
  stop_and_count(false);
}

/* ---- mutexes ------------------------------------------------------------------------ */

static std::mutex plain;
static std::recursive_mutex again;
static std::timed_mutex timed;
static std::recursive_timed_mutex timed_again;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;

template <class Mutex> static void count_inside(Mutex &mutex) {
  twice([&mutex] {
    std::lock_guard guard(mutex);
    x++;
  });
}
template <class Mutex> static void count_behind(Mutex &mutex) {
  twice([&mutex] {
    {
      std::lock_guard guard(mutex);
    }
    x++;
  });
}
SCENARIO(twin_mutex_inside, CLEAN) {
  count_inside(plain);
}
SCENARIO(twin_mutex_behind, RACE) {
  count_behind(plain);
}

static void count_deeply(bool once_more) {
  twice([once_more] {
    again.lock();
    again.lock();
    again.unlock();
    if (once_more) again.unlock();
    x++;
    if (!once_more) again.unlock();
  });
}
SCENARIO(twin_recursive_inner, CLEAN) {
  count_deeply(false);
}
SCENARIO(twin_recursive_outer, RACE) {
  count_deeply(true);
}

/* Who does not get it in time counts nevertheless, or does not. */
template <class Mutex> static void count_in_time(Mutex &mutex, bool careful) {
  std::thread holder([&mutex] {
    std::lock_guard guard(mutex);
    later();
    x++;
    later();
  });
  later();
  bool got = mutex.try_lock_for(1ms);
  if (got || !careful) x++;
  if (got) mutex.unlock();
  holder.join();
}
SCENARIO(twin_timed_got, CLEAN) {
  count_in_time(timed, true);
}
SCENARIO(twin_timed_anyway, RACE) {
  count_in_time(timed, false);
}
SCENARIO(twin_timed_again_got, CLEAN) {
  count_in_time(timed_again, true);
}
SCENARIO(twin_timed_again_anyway, RACE) {
  count_in_time(timed_again, false);
}

template <class Mutex> static void count_shared(Mutex &mutex, bool exclusive) {
  twice([&mutex, exclusive] {
    if (exclusive) {
      std::unique_lock guard(mutex);
      x++;
    } else {
      std::shared_lock guard(mutex);
      x++;
    }
  });
}
SCENARIO(twin_shared_exclusive, CLEAN) {
  count_shared(shared, true);
}
SCENARIO(twin_shared_by_readers, RACE) {
  count_shared(shared, false);
}
SCENARIO(twin_shared_timed_exclusive, CLEAN) {
  count_shared(shared_timed, true);
}
SCENARIO(twin_shared_timed_by_readers, RACE) {
  count_shared(shared_timed, false);
}

/* ---- condition variables ------------------------------------------------------------ */

/* What is handed over is written before it is said to be there, or after. */
template <class Condition> static void hand_over(Condition &condition, bool before) {
  bool there = false;
  std::thread giver([&] {
    later();
    if (before) x = 1;
    {
      std::lock_guard guard(plain);
      there = true;
    }
    condition.notify_one();
    if (!before) x = 1;
  });
  {
    std::unique_lock guard(plain);
    condition.wait(guard, [&] { return there; });
  }
  x++;
  giver.join();
}
static std::condition_variable condition;
static std::condition_variable_any condition_any;
SCENARIO(twin_condition_before, CLEAN) {
  hand_over(condition, true);
}
SCENARIO(twin_condition_after, RACE) {
  hand_over(condition, false);
}
SCENARIO(twin_condition_any_before, CLEAN) {
  hand_over(condition_any, true);
}
SCENARIO(twin_condition_any_after, RACE) {
  hand_over(condition_any, false);
}

/* ---- atomics ------------------------------------------------------------------------ */

/* A value of any size says that x was written. */
template <class Number> static void publish(std::memory_order store, std::memory_order load) {
  static std::atomic<Number> flag;
  std::thread writer([store] {
    x = 1;
    flag.store(Number(1), store);
  });
  while (flag.load(load) != Number(1)) std::this_thread::yield();
  x++;
  writer.join();
}
template <class Number> static void publish_right() {
  publish<Number>(std::memory_order_release, std::memory_order_acquire);
}
template <class Number> static void publish_wrong() {
  publish<Number>(std::memory_order_relaxed, std::memory_order_acquire);
}
SCENARIO(twin_atomic_sizes_released, CLEAN) {
  publish_right<uint8_t>();
  publish_right<uint16_t>();
  publish_right<uint32_t>();
  publish_right<uint64_t>();
  publish_right<bool>();
  publish_right<double>();
  publish_right<long *>();
}
SCENARIO(twin_atomic8_relaxed, RACE) {
  publish_wrong<uint8_t>();
}
SCENARIO(twin_atomic16_relaxed, RACE) {
  publish_wrong<uint16_t>();
}
SCENARIO(twin_atomic32_relaxed, RACE) {
  publish_wrong<uint32_t>();
}
SCENARIO(twin_atomic64_relaxed, RACE) {
  publish_wrong<uint64_t>();
}

/* Too large for an instruction: the library's own functions have to be understood. */
struct Wide {
  long one, two;
  bool operator!=(const Wide &other) const {
    return one != other.one || two != other.two;
  }
  explicit Wide(long n = 0) : one(n), two(n) {}
};
SCENARIO(twin_atomic128_released, CLEAN) {
  publish_right<Wide>();
}
SCENARIO(twin_atomic128_relaxed, RACE) {
  publish_wrong<Wide>();
}

static void fenced(bool fence) {
  static std::atomic<int> flag;
  std::thread writer([fence] {
    x = 1;
    if (fence) std::atomic_thread_fence(std::memory_order_release);
    flag.store(1, std::memory_order_relaxed);
  });
  while (!flag.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  x++;
  writer.join();
}
SCENARIO(twin_fence_both, CLEAN) {
  fenced(true);
}
SCENARIO(twin_fence_one, RACE) {
  fenced(false);
}

static void spin_flag(std::memory_order clear) {
  static std::atomic_flag busy;
  twice([clear] {
    while (busy.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
    x++;
    busy.clear(clear);
  });
}
SCENARIO(twin_flag_released, CLEAN) {
  spin_flag(std::memory_order_release);
}
SCENARIO(twin_flag_relaxed, RACE) {
  spin_flag(std::memory_order_relaxed);
}

/* ---- once --------------------------------------------------------------------------- */

static void call_once_and_count(bool inside) {
  static std::once_flag flag;
  twice([inside] {
    std::call_once(flag, [inside] {
      if (inside) x++;
    });
    if (!inside) x++;
  });
}
SCENARIO(twin_once_inside, CLEAN) {
  call_once_and_count(true);
}
SCENARIO(twin_once_behind, RACE) {
  call_once_and_count(false);
}

struct Table {
  int entries;
  Table() : entries(++x) {}
};
static void use_static(bool write) {
  twice([write] {
    static Table table;
    if (write)
      table.entries++;
    else
      (void)*(volatile int *)&table.entries;
  });
}
SCENARIO(twin_static_read, CLEAN) {
  use_static(false);
}
SCENARIO(twin_static_written, RACE) {
  use_static(true);
}

/* ---- futures ------------------------------------------------------------------------ */

static void compute(bool wait) {
  std::future<int> sum = std::async(std::launch::async, [] {
    later();
    return x++;
  });
  if (wait) sum.wait();
  x++;
  sum.get();
}
SCENARIO(twin_async_waited, CLEAN) {
  compute(true);
}
SCENARIO(twin_async_beside, RACE) {
  compute(false);
}

static void run_task(bool wait) {
  std::packaged_task<int()> task([] { return x++; });
  std::future<int> result = task.get_future();
  std::thread worker(std::move(task));
  if (wait) result.get();
  x++;
  worker.join();
}
SCENARIO(twin_task_got, CLEAN) {
  run_task(true);
}
SCENARIO(twin_task_beside, RACE) {
  run_task(false);
}
